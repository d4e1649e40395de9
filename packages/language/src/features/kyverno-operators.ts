import type { ObjectView } from '../policy/object-view.ts';
import type { ServiceContext } from '../service-context.ts';
import { itemsOf, type MapNode, nodeAt } from '../yaml/nodes.ts';
import { templateTypes } from './complete-template.ts';

const operators: ReadonlyMap<string, string> = new Map([
  ['In', 'AnyIn'],
  ['NotIn', 'AnyNotIn'],
]);
const texts: ReadonlySet<string> = new Set(['operation', 'name', 'namespace', 'userInfo.username']);

/**
 * Returns the operator that replaces a deprecated one of a condition, or `undefined` if they may differ. `In` and
 * `AnyIn` differ for keys that are lists, and for values that are not.
 */
export function newerOperator(
  context: ServiceContext,
  object: ObjectView,
  condition: MapNode,
): string | undefined {
  const { part, root } = object;
  const written = part.textAt(condition, 'operator');
  const meant = operators.get(written);
  if (meant === undefined || nodeAt(condition, 'value')?.kind !== 'list') return undefined;
  const key = part.textAt(condition, 'key');
  const way = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(key)?.[1];
  if (way === undefined) return undefined;
  const [first, ...rest] = way.split('.');
  if (first === 'request' && texts.has(rest.join('.'))) return meant;
  const rule = itemsOf(nodeAt(root, 'spec', 'rules')).findLast(
    ({ start }) => start <= condition.start,
  );
  const types = templateTypes(context, object, rule, way.split('.'));
  return types.length > 0 && types.every(({ kind }) => scalars.has(kind)) ? meant : undefined;
}

const scalars: ReadonlySet<string> = new Set(['string', 'int', 'bool']);
