/** The part of the WebAssembly API that the engine uses. TypeScript declares it only in its library for browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: {
      readonly initial: number;
      readonly maximum: number;
      readonly shared: true;
    });
    /** The current buffer. Every growth creates a new buffer; earlier buffers stay valid for their length. */
    readonly buffer: SharedArrayBuffer;
    /** Grows the memory by pages of 65,536 bytes. @throws {RangeError} beyond the maximum or the system's memory */
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
