import { EngineError } from "../../errors.ts";
import { DamagedFile } from "../../files/damagedFile.ts";

/** Whether a table can be used: it is open, and its files and memory agree. */
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
   * Passes when the table can be used.
   * @throws {EngineError} TABLE_DAMAGED, TABLE_UNKNOWN when it is closed
   */
  check(): void {
    if (this.#damageReason !== undefined)
      throw new EngineError("TABLE_DAMAGED", [this.#name, this.#damageReason]);
    if (this.isClosed) throw new EngineError("TABLE_UNKNOWN", [this.#name]);
  }

  /** Runs what reads the table's files; damage that it finds is the table's. */
  async load<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      throw this.damage(error);
    }
  }

  /** Takes the table out of use. Returns the error for those who asked. */
  damage(cause: unknown): EngineError {
    this.#damageReason = cause instanceof Error ? cause.message : String(cause);
    this.#onDamage(this.#damageReason);
    return new EngineError("TABLE_DAMAGED", [this.#name, this.#damageReason], { cause });
  }
}
