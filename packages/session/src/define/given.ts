/**
 * A base class whose constructor returns the given object, so that a subclass adds its private fields to that object.
 *
 * Other code can neither see nor forge such a field. Unlike a WeakMap entry it adds no cost to garbage collection.
 */
export class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the point of this class.
    return value;
  }
}
