(function () {
  "use strict";
  var form = document.getElementById("filters");
  var bodies = Array.from(document.querySelectorAll(".claims tbody"));
  var documents = Array.from(document.querySelectorAll(".document"));
  var rows = Array.from(document.querySelectorAll(".claims tr[data-verdict]"));
  var papers = rows.map(function (row) { return row.closest(".document").dataset.document; });
  var output = form.querySelector("output");
  var words = rows.map(function (row) {
    var group = row.parentNode.querySelector(".group");
    var id = row.querySelector("a").getAttribute("href");
    return (group.textContent + " " + row.textContent + " " + id).toLowerCase();
  });

  function value(name) { return form.elements[name].value; }
  function checked(name) { return form.elements[name] && form.elements[name].checked; }

  function apply() {
    var text = value("text").trim().toLowerCase();
    var shown = 0;
    rows.forEach(function (row, at) {
      var fits = ["verdict", "evidence"].every(function (name) {
        return !value(name) || row.dataset[name] === value(name);
      });
      fits = fits && (!value("document") || papers[at] === value("document"));
      fits = fits && (!text || words[at].includes(text));
      fits = fits && ["unexpected", "changed"].every(function (name) {
        return !checked(name) || row.dataset[name] === "yes";
      });
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    bodies.forEach(function (body) {
      body.hidden = !body.querySelector("tr[data-verdict]:not([hidden])");
    });
    documents.forEach(function (paper) {
      paper.hidden = !paper.querySelector("tr[data-verdict]:not([hidden])");
    });
    output.textContent = shown + " of " + rows.length + " shown";
  }

  // The address holds the filters, so that a filtered page can be linked to; `#slug` is a claim.
  function remember() {
    var state = new URLSearchParams();
    new FormData(form).forEach(function (value, name) { if (value) state.set(name, value); });
    history.replaceState(null, "", state.toString() ? "#" + state : location.pathname + location.search);
  }

  function recall() {
    var state = location.hash.slice(1);
    if (!state.includes("=")) return;
    form.reset();
    new URLSearchParams(state).forEach(function (value, name) {
      var field = form.elements[name];
      if (!field) return;
      if (field.type === "checkbox") field.checked = true; else field.value = value;
    });
    apply();
  }

  form.hidden = false;
  form.addEventListener("input", function () { apply(); remember(); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  window.addEventListener("hashchange", function () {
    recall();
    if (location.hash.includes("=")) document.getElementById("claims").scrollIntoView();
  });
  apply();
  recall();
})();
