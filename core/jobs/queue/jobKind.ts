/** A job as its kind carries it out. */
export interface Job {
  readonly id: string;
  readonly data: object;
  /** From 1; higher after a failure or the death of a host. */
  readonly attempt: number;
  /** Aborts when the job takes longer than its kind allows, and when the host closes. */
  readonly signal: AbortSignal;
  /** Why the last run of the other kind failed; for jobs of a kind that is `whenLost` of another. */
  readonly problem?: string;
}

/** How the jobs of one name are carried out. */
export interface JobKind {
  readonly name: string;
  /** Carries a job out. It may run again after a crash, so it records its result in a way that a second run sees. */
  run(job: Job): Promise<void>;
  /** Jobs that run at the same time on a host. */
  readonly batchSize: number;
  /** Runs after the first that failed. The wait between them doubles, with jitter. */
  readonly retryLimit: number;
  readonly retryDelayS: number;
  readonly longestDelayS: number;
  /** Seconds after which a run counts as dead and another one begins. */
  readonly expireS: number;
  /** The kind that gets a job with the same data when the last run failed, expired or died with its host. */
  readonly whenLost?: string;
}
