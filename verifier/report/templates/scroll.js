(function () {
  "use strict";
  // What scrolls sideways can be reached and moved by keyboard; what does not is no stop on the way.
  function mark() {
    document.querySelectorAll(".display, .scroll, .pencil, .says, pre.problem, table").forEach(function (part) {
      if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0; else part.removeAttribute("tabindex");
    });
  }
  mark();
  window.addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);
})();
