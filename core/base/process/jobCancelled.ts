/** The reason with which the signal of a running job aborts when somebody cancels the job. */
export class JobCancelled extends Error {
  override readonly name = "JobCancelled";

  constructor() {
    super("the job was cancelled");
  }
}
