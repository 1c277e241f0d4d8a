/** A job, as the function `run` of its kind receives it. */
export interface Job {
  readonly id: string;
  readonly data: object;
  /** The number of the run, starting at 1. It increases after a failure or the death of a host. */
  readonly attempt: number;
  /**
   * Aborts when the job exceeds the time limit of its kind, and when the host closes. If the kind `isStoppable`, also
   * aborts with `JobCancelled` when somebody cancels the job.
   */
  readonly signal: AbortSignal;
  /** Why the last run of the lost job failed. Present only for jobs of a kind that another kind names in `whenLost`. */
  readonly problem?: string;
}

/** How the queue runs the jobs of one kind. */
export interface JobKind {
  readonly name: string;
  /** Runs a job. It may run again after a crash, so it must record its result in a form that a second run detects. */
  run(job: Job): Promise<void>;
  /** Maximum number of concurrent jobs per host. */
  readonly batchSize: number;
  /** Maximum number of runs after the first failure. The wait between runs doubles, with jitter. */
  readonly retryLimit: number;
  readonly retryDelayS: number;
  readonly longestDelayS: number;
  /** Seconds after which a run counts as dead and the next run starts. */
  readonly expireS: number;
  /**
   * Whether a running job stops when somebody cancels it.
   * @default false
   */
  readonly isStoppable?: boolean;
  /** The kind that receives a job with the same data if the last run failed, expired or died with its host. */
  readonly whenLost?: string;
}
