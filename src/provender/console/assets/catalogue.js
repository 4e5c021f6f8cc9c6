// What is in the catalogue: the version in use, its datasets, and what became of the records of the last import.

import { $, h, replace } from "./dom.js";
import { get } from "./api.js";
import { showCall } from "./calls.js";
import { count, date, moment } from "./format.js";
import { figures, table } from "./tables.js";
import { fillOrSay } from "./views.js";

const place = $("#catalogue");
await fillOrSay(place, async () => show(await get("/v1/catalogue")));

function show(catalogue) {
  replace(place,
    figures([["Foods", count(catalogue.foods)], ["In search", count(catalogue.listed)], ["Barcodes", count(catalogue.barcodes)],
      ["Datasets", count(catalogue.datasets.length)]]),
    h("section", { class: "card" }, h("h2", {}, "Datasets"), table("Datasets of the version in use",
      ["Dataset", "Release", { number: "Foods" }, "Imported"],
      catalogue.datasets.map((dataset) => [dataset.name, dataset.release ?? "—", count(dataset.foods), date(dataset.imported_at)]))),
    lastImport(catalogue.last_import),
    h("section", { class: "card" }, h("h2", {}, "Versions"), table("Versions that are kept", ["Version", { number: "Foods" }, "Built", ""],
      catalogue.versions.map((version) => [h("code", {}, version.version), version.foods === null ? "—" : count(version.foods),
        version.created_at === null ? "—" : date(version.created_at),
        version.is_current && h("span", { class: "badge" }, "in use")])),
      h("p", { class: "hint" }, h("code", {}, "provender import"), " makes a version, ", h("code", {}, "provender catalogue use"),
        " goes back to another. Servers follow within seconds.")),
    showCall({ path: "/v1/catalogue", python: "catalogue = client.catalogue.retrieve()" }));
}

function lastImport(report) {
  const title = h("h2", {}, "Last import");
  if (!report) return h("section", { class: "card" }, title, h("p", { class: "empty" }, "Its report was not kept."));
  const sources = report.sources.map((source) => [source.dataset, source.release].filter(Boolean).join(" ")).join(", ");
  const took = report.took_s === undefined || report.took_s === null ? "" : `, in ${Math.max(1, Math.round(report.took_s))} s`;
  return h("section", { class: "card" }, title,
    h("p", {}, `${moment(report.at)}${took}: ${sources}.`),
    figures([["Records read", count(report.read)], ["Accepted", count(report.accepted)], ["Rejected", count(report.rejected)]]),
    h("h3", {}, "Rejected, by reason"), reasons(report.rejections, "reason", "Nothing was rejected."),
    h("h3", {}, "Mended"), reasons(report.mends, "mend", "Nothing had to be mended."));
}

function reasons(rows, name, otherwise) {
  if (!rows?.length) return h("p", { class: "hint" }, otherwise);
  return table(name, ["What", { number: "Records" }],
    rows.map((row) => [[row.title, h("div", { class: "hint" }, h("code", {}, row[name]))], count(row.records)]));
}
