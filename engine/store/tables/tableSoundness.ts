import { EngineError } from "../../errors.ts";
import { DamagedFile } from "../../files/damagedFile.ts";

/** Tracks whether a table can be used. A usable table is open, and its files and its memory agree. */
export class TableSoundness {
  isClosed = false;
  readonly #name: string;
  readonly #onDamage: (reason: string) => void;
  #damageReason: string | undefined;

  constructor(name: string, onDamage: (reason: string) => void) {
    this.#name = name;
    this.#onDamage = onDamage;
  }

  get isDamaged(): boolean {
    return this.#damageReason !== undefined;
  }

  /**
   * Throws if the table cannot be used.
   * @throws {EngineError} TABLE_DAMAGED; TABLE_UNKNOWN if the table is closed
   */
  check(): void {
    if (this.#damageReason !== undefined)
      throw new EngineError("TABLE_DAMAGED", [this.#name, this.#damageReason]);
    if (this.isClosed) throw new EngineError("TABLE_UNKNOWN", [this.#name]);
  }

  /** Runs a function that reads the table's files. If the function finds damage, the table becomes unusable. */
  async load<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      throw this.damage(error);
    }
  }

  /** Makes the table unusable. Returns the error for waiting callers. */
  damage(cause: unknown): EngineError {
    this.#damageReason = cause instanceof Error ? cause.message : String(cause);
    this.#onDamage(this.#damageReason);
    return new EngineError("TABLE_DAMAGED", [this.#name, this.#damageReason], { cause });
  }
}
