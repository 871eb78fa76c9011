// Runs before the first paint, in any browser: nothing here is younger than 2018. The name carries the version, because everything
// under /assets is cached for ever.
(function () {
  var root = document.documentElement;

  // A chosen theme must not flash the other one.
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);
  } catch {
    // Storage is blocked: the system's theme it is.
  }

  // The newest of what the app cannot do without (docs/decisions/0022): in Safari from 16 on, Chrome 110, Firefox 121.
  var isEnough = "toSorted" in Array.prototype && "CSS" in window && CSS.supports("selector(:has(a))");
  if (isEnough) return;
  // The app does not start, and the server's page stays.
  root.setAttribute("data-old-browser", "");
  document.addEventListener("DOMContentLoaded", function () {
    var notice = document.createElement("p");
    notice.className = "old-browser";
    notice.appendChild(
      document.createTextNode(
        "The market needs a newer browser to take orders. Please update this one (on an iPhone or iPad: update iOS), " +
          "or use another. What you see here is today’s page without it.",
      ),
    );
    document.body.insertBefore(notice, document.body.firstChild);
  });
})();
