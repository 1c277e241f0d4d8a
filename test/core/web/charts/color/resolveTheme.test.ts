import * as assert from "uvu/assert";
import { builtInThemes } from "../../../../../core/catalog/reference/themes.ts";
import { darkTheme, lightTheme, resolveTheme } from "../../../../../core/web/charts/index.ts";
import { contrast } from "../../../../../core/web/charts/color/contrast.ts";
import { readCss } from "../../../../../core/web/charts/color/readCss.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

const hex = /^#[\da-f]{6}$/;

/** Asserts that every colour of a theme is plain hex and that its text is readable. */
function expectSafe(theme: ReturnType<typeof resolveTheme>): void {
  const { page, background, text, muted, grid, axis, positive, negative, series, ramp } = theme;
  const colors = [
    page,
    background,
    text,
    muted,
    grid,
    axis,
    positive,
    negative,
    ...series,
    ...ramp,
  ];
  for (const color of colors) assert.match(color, hex);
  assert.ok(contrast(text, background) >= 4.5, `${text} on ${background}`);
}

suite("core/web/charts/color/resolveTheme", (test) => {
  test("the default themes of charts equal those of dashboards", () => {
    const stored = (id: string) => builtInThemes.find((each) => each.id === id)?.theme;
    assert.equal(resolveTheme(undefined, [{ theme: stored("default") }]), lightTheme);
    assert.equal(resolveTheme(undefined, [{ theme: stored("default_dark") }]), darkTheme);
  });

  test("every built-in theme has readable text and begins with its own series colours", () => {
    for (const { theme: stored } of builtInThemes) {
      const theme = resolveTheme(undefined, [{ theme: stored }]);
      expectSafe(theme);
      assert.ok(contrast(theme.muted, theme.background) >= 4.5);
      assert.equal(theme.series.slice(0, stored.colors.length), stored.colors);
      assert.is(theme.page, stored.background);
    }
  });

  test("a theme that the reader chooses replaces every other look", () => {
    const looks = [{ theme: builtInThemes[4]?.theme, css: ".item { color: #400 }" }];
    assert.is(resolveTheme("dark", looks), darkTheme);
    assert.is(resolveTheme("light", looks), lightTheme);
  });

  test("later looks override earlier looks, and CSS changes only colours that it names", () => {
    const theme = resolveTheme(undefined, [
      { theme: builtInThemes[4]?.theme },
      {
        css: `/* ours */ :root { --manifold-series-2: rgb(1, 2, 3); background: rgba(0, 0, 0, 0.5); }
          .item, .other { background-color: midnightblue }`,
      },
      { css: ":host { --manifold-series-1: hsl(0, 100%, 50%) }" },
    ]);
    assert.equal(theme.series.slice(0, 3), ["#ff0000", "#010203", "#a4c3b2"]);
    assert.is(theme.background, "#191970");
    expectSafe(theme);
  });

  test("an unreadable text colour is replaced by a readable colour", () => {
    const css = ".item { background: #ffffff; color: #fafafa }";
    assert.is(resolveTheme(undefined, [{ css }]).text, lightTheme.text);
  });

  test("hostile CSS and themes have no effect", () => {
    const hostile = [
      "@import url(https://evil.example);",
      "@media all { .item { color: red } }",
      ".item { background: url(https://evil.example/x.png) }",
      ".item { background: var(--x); color: expression(alert(1)) }",
      ".item { background-color: #fff</style><script>alert(1)</script> }",
      ".item { back\\67round: red; position: fixed; content: 'x' }",
      "* { color: red } .item *, .item:hover, div { color: red }",
      "} .item { color: } { } /* .item { color: red }",
      ".item { --manifold-series-1: attr(href); --manifold-font: Evil; }",
      "{".repeat(200_000),
      "/*".repeat(200_000),
      `.item { color: ${"#".repeat(10_000_000)} }`,
    ];
    for (const css of hostile)
      assert.equal(resolveTheme(undefined, [{ css }]), lightTheme, css.slice(0, 60));
    const themes = [
      { itemsBackground: "javascript:alert(1)", colors: ["url(#x)", 7, null, {}] },
      { colors: "red" },
      { background: { toString: () => "red" } },
      "dark",
      [],
      7,
    ];
    for (const theme of themes) assert.equal(resolveTheme(undefined, [{ theme }]), lightTheme);
  });

  test("any CSS gives a theme with hexadecimal colours and readable text", async () => {
    const random = createRandom();
    const parts = [
      ".item",
      ":root",
      "{",
      "}",
      ";",
      ":",
      "color",
      "background",
      "--manifold-series-1",
      "--manifold-text",
      "--manifold-background",
      "#000",
      "#fff",
      "#7f7f7f",
      "red",
      "rgba(9,9,9,.3)",
      "/*",
      "*/",
      "url(x)",
      "@media",
      "\\",
      " ",
    ];
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 150, deep: 5_000 }); round++) {
        const css = Array.from({ length: 30 }, () => random.pick(parts)).join("");
        const stored = {
          type: random.pick(["light", "dark", "x"]),
          itemsBackground: random.pick(parts),
        };
        expectSafe(resolveTheme(undefined, [{ theme: stored }, { css }]));
        for (const { property } of readCss(css))
          assert.match(property, /^(?:background|color|--manifold-)/);
      }
    });
  });
});
