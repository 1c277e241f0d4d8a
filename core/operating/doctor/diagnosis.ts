/** The result of one check of a host, as one line of the report. */
export interface Diagnosis {
  readonly check: string;
  /** The result: `good`; `weak` if the part works but should be fixed; `bad` if it does not work or loses data. */
  readonly state: "good" | "weak" | "bad";
  readonly text: string;
  /** What to do if the state is not `good`. */
  readonly fix?: string;
}

export const good = (check: string, text: string): Diagnosis => ({ check, state: "good", text });

export const weak = (check: string, text: string, fix: string): Diagnosis => ({
  check,
  state: "weak",
  text,
  fix,
});

export const bad = (check: string, text: string, fix: string): Diagnosis => ({
  check,
  state: "bad",
  text,
  fix,
});
