import { CelError, type Value } from '@kubeadmit/cel';
import { equal, isList, isMap } from '@kubeadmit/cel/values';

/**
 * Whether two values inside of typed ones are equal (cel-go, `ref.Val.Equal`). A value that does not fit its schema is an
 * error: as the left one it is the result, as the right one it is to a scalar just something else.
 */
export function equalInside(left: Value, right: Value): boolean | CelError {
  if (left instanceof CelError) return left;
  if (right instanceof CelError) return isList(left) || isMap(left) ? right : false;
  return equal(left, right);
}
