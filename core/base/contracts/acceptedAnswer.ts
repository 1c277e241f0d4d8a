/** The response to a call whose work happens after the response: a JSON value with status 202. */
export class AcceptedAnswer {
  readonly body: object;

  constructor(body: object) {
    this.body = body;
  }
}
