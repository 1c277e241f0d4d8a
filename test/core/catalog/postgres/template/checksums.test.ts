import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  crc32c,
  pageBytes,
  pageChecksum,
  readChecksum,
} from "../../../../../core/catalog/postgres/template/checksums.ts";
import { findTestServer } from "../../../../support/findTestServer.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/catalog/postgres/template/checksums", (test) => {
  test("crc32c returns the check value of CRC-32C", () => {
    assert.is(crc32c(Buffer.from("123456789")), 0xe306_9283);
  });

  test("pageChecksum returns the checksums that PostgreSQL has written", async () => {
    const { dataDir } = await findTestServer();
    const roles = await readFile(join(dataDir, "catalog/global/1260"));
    assert.ok(roles.length >= pageBytes);
    for (let at = 0; at < roles.length; at += pageBytes) {
      const page = roles.subarray(at, at + pageBytes);
      assert.is(pageChecksum(page, at / pageBytes), readChecksum(page));
    }
  });
});
