/**
 * A base class whose instances are the objects they are given, so that a subclass
 * puts its private fields on them.
 *
 * Such a field marks a value in a way nobody else can see or forge, and unlike an
 * entry in a WeakMap it costs nothing at garbage collection.
 */
export class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the point of this class.
    return value;
  }
}
