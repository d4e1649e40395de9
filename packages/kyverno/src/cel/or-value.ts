import { type Library, Optional, type Value } from '@kubeadmit/cel';
import { functionsOf } from '@kubeadmit/cel/declarations';

const name = '__orValueCompat__';

/**
 * `x.orValue(y)` for an `x` that may be no optional value, and is then the result (Kyverno's
 * `OrValueCompatEnvOptions`).
 *
 * - `1.orValue(2)` is 1; `optional.none().orValue(2)` is 2; `optional.of(null).orValue(2)` is null.
 */
export const orValueLibrary: Library = {
  name: 'kyverno.orValue',
  macros: [
    {
      name: 'orValue',
      arity: 1,
      member: true,
      expand: (build, target, values) =>
        target === undefined || values[0] === undefined
          ? undefined
          : build.call(name, target, values[0]),
    },
  ],
  functions: functionsOf([
    [
      name,
      `${name}_dyn_dyn`,
      '(dyn, dyn) -> dyn',
      (given: Value, fallback: Value) => {
        if (!(given instanceof Optional)) return given;
        return given.value === undefined ? fallback : given.value;
      },
    ],
  ]),
};
