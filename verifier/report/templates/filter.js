
(function () {
  "use strict";
  var form = document.getElementById("filters");
  var bodies = Array.from(document.querySelectorAll("#table tbody"));
  var rows = Array.from(document.querySelectorAll("#table tr[data-verdict]"));
  var output = form.querySelector("output");
  var words = rows.map(function (row) {
    var group = row.parentNode.querySelector(".group");
    return (group.textContent + " " + row.textContent).toLowerCase();
  });

  function chosen(name) { return form.elements[name].value; }

  function apply() {
    var text = chosen("text").trim().toLowerCase();
    var shown = 0;
    rows.forEach(function (row, at) {
      var fits = ["verdict", "evidence", "document"].every(function (name) {
        return !chosen(name) || row.dataset[name] === chosen(name);
      });
      fits = fits && (!text || words[at].includes(text));
      fits = fits && (!form.elements.unexpected.checked || row.dataset.unexpected === "yes");
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    bodies.forEach(function (body) {
      body.hidden = !body.querySelector("tr[data-verdict]:not([hidden])");
    });
    output.textContent = shown + " of " + rows.length + " shown";
    var state = new URLSearchParams();
    new FormData(form).forEach(function (value, name) { if (value) state.set(name, value); });
    history.replaceState(null, "", state.toString() ? "#" + state : location.pathname + location.search);
  }

  new URLSearchParams(location.hash.slice(1)).forEach(function (value, name) {
    var field = form.elements[name];
    if (!field) return;
    if (field.type === "checkbox") field.checked = true; else field.value = value;
  });
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  apply();
})();
