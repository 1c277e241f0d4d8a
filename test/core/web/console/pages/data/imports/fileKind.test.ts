import * as assert from "uvu/assert";
import {
  datasetNameOf,
  kindOf,
  sampleBytes,
  sampleOf,
} from "../../../../../../../core/web/console/pages/data/imports/fileKind.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports/fileKind", (test) => {
  const large = (name: string) => new File([new Uint8Array(sampleBytes + 1)], name);

  test("only files that are read from start to end are previewed from their first bytes", () => {
    for (const name of ["a.csv", "a.TSV", "a.jsonl", "a.ndjson"])
      assert.is(sampleOf(large(name)).size, sampleBytes, name);
    for (const name of ["a.csv.gz", "a.json", "a.xlsx", "a.parquet", "a.arrow", "a"])
      assert.is(sampleOf(large(name)).size, sampleBytes + 1, name);
    const small = new File(["a\n1\n"], "a.csv");
    assert.is(sampleOf(small), small);
    assert.is(sampleOf(large("a.csv"), 10).size, 10);
  });

  test("the ending of a file determines its controls, whatever its case or compression", () => {
    assert.equal(["a.csv", "b.CSV.gz", "c.xlsx", "d.parquet", "e.json", "f"].map(kindOf), [
      "delimited",
      "delimited",
      "workbook",
      "columns",
      "json",
      "delimited",
    ]);
  });

  test("a dataset has the name of its file without endings", () => {
    assert.equal(["trips 2024.csv", "a.b.csv.gz", "plain", ".csv"].map(datasetNameOf), [
      "trips 2024",
      "a.b",
      "plain",
      ".csv",
    ]);
  });
});
