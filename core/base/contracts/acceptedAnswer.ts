/** An answer of work that begins later: a JSON value with the status 202. */
export class AcceptedAnswer {
  readonly body: object;

  constructor(body: object) {
    this.body = body;
  }
}
