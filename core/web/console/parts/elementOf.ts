/** Returns the target of an event, checked to be the expected kind of element. */
export function elementOf<Kind>(target: EventTarget | null, kind: abstract new () => Kind): Kind {
  if (target instanceof kind) return target;
  throw new TypeError(`the target of the event must be an ${kind.name}`);
}
