import * as assert from "uvu/assert";
import { fileName } from "../../../../core/exports/named/fileName.ts";
import { suite } from "../../../support/suite.ts";

const atMs = Date.parse("2026-03-01T23:30:00Z");

suite("core/exports/named/fileName", (test) => {
  test("the name of a file has its title and the day in the reader's time zone", () => {
    assert.is(fileName({ title: "Sales", extension: "pdf", atMs }), "Sales 2026-03-01.pdf");
    const shown = fileName({ title: "Sales", extension: "pdf", timezoneId: "Asia/Tokyo", atMs });
    assert.is(shown, "Sales 2026-03-02.pdf");
  });

  test("characters that file systems do not allow become spaces, and other languages stay", () => {
    const name = (title: string) => fileName({ title, extension: "csv", atMs });
    assert.is(
      name('../a\\b:c*d?"e"<f>|g\u0000h\nübér 売上'),
      "a b c d e f g h übér 売上 2026-03-01.csv",
    );
    assert.is(name(" \n/"), "export 2026-03-01.csv");
    assert.is(name("😀".repeat(200)), `${"😀".repeat(80)} 2026-03-01.csv`);
  });
});
