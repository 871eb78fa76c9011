// Runs before the first paint: a chosen theme must not flash the other one. The name carries the version, because
// everything under /assets is cached for ever.
try {
  var theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
} catch {
  // Storage is blocked: the system's theme it is.
}
