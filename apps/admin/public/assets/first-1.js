// Before the first paint, in any browser. The name has a version: /admin/assets is cached for ever.
(function () {
  var root = document.documentElement;
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);
  } catch {
    // Storage is blocked: the system's theme.
  }
  // docs/decisions/0022
  if ("toSorted" in [] && CSS.supports("selector(:has(a))")) return;
  root.setAttribute("data-old-browser", "");
  document.addEventListener("DOMContentLoaded", function () {
    var notice = document.createElement("p");
    notice.className = "old-browser";
    notice.textContent =
      "The back office needs a newer browser. Please update this one (on an iPhone or iPad: update iOS), or use another. On the server, ./market --help does the same without one.";
    document.body.insertBefore(notice, document.body.firstChild);
  });
})();
