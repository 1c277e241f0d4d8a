import * as assert from "uvu/assert";
import * as core from "../../../plugins/meanings/whiteSpace.ts";
import { trim, trimEnd, trimStart } from "../../../engine/expressions/whiteSpace.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/whiteSpace", (test) => {
  test("trimming removes exactly the characters with the Unicode property White_Space, as the host does", () => {
    let count = 0;
    for (let code = 0; code < 0x10000; code++) {
      const unit = String.fromCharCode(code);
      const isSpace = /^\p{White_Space}$/u.test(unit);
      if (isSpace) count++;
      const padded = `${unit}a${unit}b${unit}`;
      const inner = `a${unit}b`;
      for (const each of [{ trim, trimStart, trimEnd }, core]) {
        const about = code.toString(16);
        assert.is(each.trim(padded), isSpace ? inner : padded, about);
        assert.is(each.trimStart(padded), isSpace ? `${inner}${unit}` : padded, about);
        assert.is(each.trimEnd(padded), isSpace ? `${unit}${inner}` : padded, about);
      }
    }
    assert.is(count, 25);
    assert.is(trim(" \u0085"), "");
  });
});
