/** The part of the WebAssembly API that the engine uses. TypeScript declares it only in its library for browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: {
      readonly initial: number;
      readonly maximum: number;
      readonly shared: true;
    });
    /** A new buffer after every growth. Old ones stay valid for their length. */
    readonly buffer: SharedArrayBuffer;
    /** Grows by pages of 65,536 bytes. @throws {RangeError} beyond the maximum or the machine's memory */
    grow(pages: number): number;
  }

  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (bytes: Uint8Array) => Module;

  class Instance {
    constructor(
      module: Module,
      imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    );
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
