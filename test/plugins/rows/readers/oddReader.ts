import { serveReader } from "../../../../plugins/rows/serving/index.ts";

/** Requests to a reader process that does everything that a parser must not do. */
export type OddRequest =
  | { readonly kind: "count"; readonly to: number }
  | { readonly kind: "grow" }
  | { readonly kind: "growBuffers" }
  | { readonly kind: "spin" }
  | { readonly kind: "linger" }
  | { readonly kind: "exit" }
  | { readonly kind: "fail" }
  | { readonly kind: "echo"; readonly text: string }
  | { readonly kind: "environment" }
  | { readonly kind: "arrays"; readonly lengths: readonly number[] };

/** An item with arrays, of which the large ones do not travel in its message. */
export interface OddArrays {
  readonly numbers: Float64Array;
  readonly codes: Int32Array;
  readonly few: Uint8Array;
}

serveReader<OddRequest, string | OddArrays, string, string>(async (request, { send, need }) => {
  switch (request.kind) {
    case "count":
      for (let index = 0; index < request.to; index++) await send(String(index));
      return;
    case "grow": {
      const kept: unknown[] = [];
      const text = `[${"0,".repeat(1e6)}0]`;
      for (;;) kept.push(JSON.parse(text));
    }
    case "growBuffers": {
      const kept: Uint8Array[] = [];
      for (;;) kept.push(new Uint8Array(2 ** 24).fill(kept.length));
    }
    case "spin":
      for (;;);
    case "linger":
      return new Promise(() => {});
    case "exit":
      process.exit(3);
    case "fail":
      throw Object.assign(new Error("what a library says"), { errcode: 17 });
    case "echo":
      return send(await need(request.text));
    case "arrays":
      for (const length of request.lengths)
        await send({
          numbers: new Float64Array(length).fill(length),
          codes: Int32Array.from({ length: length + 1 }, (_, index) => index),
          few: Uint8Array.of(1, 2, 3),
        });
      return;
    case "environment":
      return send(JSON.stringify(Object.keys(process.env).toSorted()));
  }
});
