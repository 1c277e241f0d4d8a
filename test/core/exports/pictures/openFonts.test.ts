import * as assert from "uvu/assert";
import { nameScripts, openFonts } from "../../../../core/exports/index.ts";
import { suite } from "../../../support/suite.ts";
import { drawSample } from "../../web/charts/drawSample.ts";
import { samples } from "../../web/charts/samples.ts";
import { pngOf } from "./keptPictures.ts";
import { pixelsOf } from "./pixelsOf.ts";

suite("core/exports/pictures/openFonts", (test) => {
  test("the shipped fonts cover every supported script, and only the font files that are needed are read", async () => {
    const fonts = openFonts();
    const { faces: base } = await fonts.facesOf(["Zürich Łódź Đà Nẵng Αθήνα Москва"]);
    for (const name of ["القاهرة", "ירושלים", "กรุงเทพ", "नई दिल्ली"]) {
      const { faces, missing } = await fonts.facesOf([name]);
      assert.equal(missing, [], name);
      assert.is(faces.length, base.length + 1, name);
    }
    const { faces } = await fonts.facesOf(["القاهرة", "ירושלים"]);
    assert.is(faces.length, base.length + 2);
  });

  test("a character is drawn in an installed font family, and reported as missing if no family contains it", async () => {
    const fonts = openFonts();
    assert.equal((await fonts.facesOf(["🎉"])).missing, []);
    const { missing } = await fonts.facesOf(["東京 東", "\t\u200d\ufe0f"]);
    assert.equal(missing, ["東", "京"]);
    assert.equal(nameScripts([...missing, "ω", "🎉", "\u{13000}"]), [
      "Han",
      "Greek",
      "emoji",
      "other",
    ]);
  });

  test("names in different scripts look different in a picture, so they are not drawn as boxes", async () => {
    const [sample] = samples.filter(({ name }) => name === "bars");
    const drawn = new Set<string>();
    const names = ["Łódź", "Αθήν", "مصرم", "ירוש", "กรงท", "नईदल"];
    for (const name of names) {
      const rows = [[{ id: name, name: { en: name } }, 5]];
      const scene = drawSample({ ...sample!, rows }, { width: 200, height: 80, theme: "light" });
      drawn.add(Buffer.from((await pixelsOf(await pngOf(scene))).bytes).toString("base64"));
    }
    assert.is(drawn.size, names.length);
  });
});
