import * as assert from "uvu/assert";
import { announcedLimit } from "../../../connectors/rest/announcedLimit.ts";
import { suite } from "../../support/suite.ts";

const nowMs = Date.UTC(2026, 0, 1);
const nowS = nowMs / 1000;

suite("connectors/rest/announcedLimit", (test) => {
  for (const [headers, remaining, waitMs, limit] of [
    [
      { "ratelimit-remaining": "4", "ratelimit-reset": "50", "ratelimit-limit": "10" },
      4,
      50_000,
      10,
    ],
    [
      { "ratelimit-remaining": "4", "ratelimit-reset": "50", "ratelimit-limit": "10;w=60" },
      4,
      50_000,
      10,
    ],
    [{ ratelimit: "limit=10, remaining=4, reset=50" }, 4, 50_000, 10],
    [{ ratelimit: '"default";r=4;t=50' }, 4, 50_000, undefined],
    [{ ratelimit: '"minute";r=9;t=50, "day";r=2;t=3600' }, 2, 3_600_000, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }, 0, 30_000, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${nowS + 30}` }, 0, 30_000, undefined],
    [
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${nowMs + 30_000}` },
      0,
      30_000,
      undefined,
    ],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${nowS - 5}` }, 0, 0, undefined],
    [
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "Thu, 01 Jan 2026 00:01:00 GMT" },
      0,
      60_000,
      undefined,
    ],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.5" }, 0, 1_500, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1m30s" }, 0, 90_000, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "20ms" }, 0, 20, undefined],
    [
      { "x-rate-limit-remaining": "3", "x-rate-limit-reset": `${nowS + 900}` },
      3,
      900_000,
      undefined,
    ],
  ] as const)
    test(`the limit on requests is read from the headers ${JSON.stringify(headers)}`, () => {
      assert.equal(announcedLimit(headers, nowMs), {
        remaining,
        resetAtMs: nowMs + waitMs,
        ...(limit !== undefined && { limit }),
      });
    });

  for (const headers of [
    {},
    { "x-ratelimit-remaining": "4" },
    { "x-ratelimit-remaining": "many", "x-ratelimit-reset": "30" },
    { "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "30" },
    { "x-ratelimit-remaining": "4", "x-ratelimit-reset": "soon" },
    { ratelimit: "?1" },
    { ratelimit: "" },
  ])
    test(`a response with the headers ${JSON.stringify(headers)} announces no limit on requests`, () => {
      assert.is(announcedLimit(headers, nowMs), undefined);
    });
});
