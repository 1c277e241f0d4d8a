/** Returns a target as the kind of element that its listener is written for. */
export function elementOf<Kind>(target: EventTarget | null, kind: abstract new () => Kind): Kind {
  if (target instanceof kind) return target;
  throw new TypeError(`the target is no ${kind.name}`);
}
