/** A past period of an alert, in milliseconds since 1970. */
export interface PastOfAlert {
  readonly alertId: string;
  readonly fromMs: number;
  readonly toMs: number;
}
