import { apply, binding, type Term } from '../cel/term.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { endsWhereAbsent, termOf, type Value } from './value.ts';

/**
 * The time since a moment (`time_since('', MOMENT, '')`), as a duration of CEL.
 *
 * @throws Unsupported for layouts of times, and for another end than now.
 */
export function elapsed([layout, start, end]: readonly (Value | undefined)[]): Value {
  if (!isEmpty(layout) || !isEmpty(end) || start === undefined) {
    throw new Unsupported(
      '`time_since` with a layout or an end',
      "write `time_since('', START, '')`",
    );
  }
  const since = apply('timestamp', termOf(start));
  const term: Term = { text: `time.now() - ${since.text}`, binds: binding.sum };
  return { kind: 'term', term, isDuration: true, mayEnd: endsWhereAbsent(start) };
}

function isEmpty(value: Value | undefined): boolean {
  return value?.kind === 'literal' && value.value === '';
}
