import { Float64, Table, tableToIPC, vectorFromArray } from "apache-arrow";
import * as assert from "uvu/assert";
import {
  closeDecodeMemory,
  openDecodeMemory,
} from "../../../../engine/ingest/decode/decodeMemory.ts";
import { encodeArrow } from "../../../../engine/ingest/arrow/encodeArrow.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/ingest/arrow/openArrowBatch", (test) => {
  test.deep(
    "the Arrow library keeps no reference to the decode memory after decompressing into it",
    async () => {
      const table = new Table({ x: vectorFromArray([1, 2, 3], new Float64()) });
      for (const format of ["stream", "file"] as const) {
        const memory = new WeakRef(openDecodeMemory());
        assert.is(encodeArrow(tableToIPC(table, format))[0].rowCount, 3);
        openDecodeMemory().take(2 ** 26);
        await closeDecodeMemory("last");
        assert.is(memory.deref(), undefined, format);
      }
    },
  );
});
