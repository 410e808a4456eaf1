(async function () {
  "use strict";
  var packed = document.getElementById("formulas");
  if (!packed || !packed.textContent || !window.DecompressionStream) return;
  var bytes = Uint8Array.from(atob(packed.textContent), function (letter) { return letter.charCodeAt(0); });
  var plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  var formulas = (await new Response(plain).text()).split("\u001e");
  document.querySelectorAll("[data-f]").forEach(function (place, at) { place.innerHTML = formulas[at]; });
  window.dispatchEvent(new Event("resize")); // what scrolls is known only now
  document.documentElement.dataset.typeset = "yes";
})();
