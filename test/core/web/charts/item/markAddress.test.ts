import * as assert from "uvu/assert";
import { interactivity, markAddress, readItem } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const template = "https://example.org/orders/{y-axis}?v={measure}#{legend}";
const fill = (values: Readonly<Record<string, string>>) =>
  markAddress(template, (slot) => values[slot]);
const links = (url: string) => {
  const options = { interactivity: { urlConfig: { url } } };
  const { link, markLink } = interactivity(readItem({ type: "bar-chart", options }), "en");
  return [link?.url, markLink?.url];
};

suite("core/web/charts/item/markAddress", (test) => {
  test("values of a mark are percent-encoded in its address", () => {
    assert.is(
      fill({ "y-axis": "A/B & C?", measure: "1 250,5", legend: "<é>" }),
      "https://example.org/orders/A%2FB%20%26%20C%3F?v=1%20250%2C5#%3C%C3%A9%3E",
    );
  });

  test("no value changes the server or the folder of an address", () => {
    for (const value of [
      "//evil.example",
      "@evil.example",
      "\\\\evil",
      "../../x",
      "javascript:1",
    ]) {
      const address = fill({ "y-axis": value, measure: value, legend: value });
      const url = new URL(address ?? "");
      assert.is(url.origin, "https://example.org", value);
      assert.match(url.pathname, /^\/orders\/[^/]+$/, value);
    }
    for (const value of [".", ".."])
      assert.is(fill({ "y-axis": value, measure: "1", legend: "" }), undefined);
  });

  test("a mark without one of the values has no address", () => {
    assert.is(fill({ "y-axis": "A", measure: "1" }), undefined);
  });

  test("addresses with slots belong to marks, and their server must be fixed", () => {
    assert.equal(links(template), [undefined, template]);
    assert.equal(links("https://example.org/"), ["https://example.org/", undefined]);
    for (const url of [
      "https://{y-axis}/",
      "https://example.org{y-axis}/",
      "https://a@{y-axis}/",
      "https://a@b.example/{y-axis}",
      "{y-axis}",
      "javascript:alert('{y-axis}')",
      "https:/\\evil/{y-axis}",
    ])
      assert.equal(links(url), [undefined, undefined], url);
  });

  test("events have a name and a label, and at most 20 are offered", () => {
    const events = [
      { name: "open", label: { en: "Open order", nl: "Bestelling openen" } },
      { label: { en: "Call" } },
      { name: "mail" },
      {},
      7,
      ...Array.from({ length: 30 }, (_, index) => ({ name: `e${index}` })),
    ];
    const options = { interactivity: { customEvents: { events } } };
    const read = interactivity(readItem({ type: "bar-chart", options }), "nl").events;
    assert.equal(read.slice(0, 3), [
      { name: "open", label: "Bestelling openen" },
      { name: "Call", label: "Call" },
      { name: "mail", label: "mail" },
    ]);
    assert.is(read.length, 18);
  });
});
