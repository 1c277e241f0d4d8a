/** The rate from which a channel combines its messages into digests. */
export interface DigestPace {
  /**
   * Maximum number of evaluations per minute that a channel reports as separate messages.
   * @default 5
   */
  readonly digestAfter?: number;
  /**
   * How long a digest accepts further evaluations, in milliseconds.
   * @default one minute
   */
  readonly digestMs?: number;
}
