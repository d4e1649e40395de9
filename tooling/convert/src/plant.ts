/** A change in an expression, and its kind of mistake. */
export interface Planted {
  readonly kind: 'operator' | 'limit' | 'field' | 'index' | 'negation' | 'has';
  readonly changed: string;
}

const operators: readonly (readonly [RegExp, string])[] = [
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ >= /g, ' > '],
  [/ > /g, ' >= '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/\.all\(/g, '.exists('],
  [/\.exists\(/g, '.all('],
  [/\.startsWith\(/g, '.endsWith('],
  [/\.endsWith\(/g, '.startsWith('],
  [/\.contains\(/g, '.startsWith('],
];

const siblings: readonly (readonly [string, string])[] = [
  ['limits', 'requests'],
  ['requests', 'limits'],
  ['memory', 'cpu'],
  ['labels', 'annotations'],
  ['annotations', 'labels'],
  ['hostNetwork', 'hostPID'],
  ['hostPID', 'hostIPC'],
  ['runAsUser', 'runAsGroup'],
  ['privileged', 'readOnlyRootFilesystem'],
  ['runAsNonRoot', 'privileged'],
  ['allowPrivilegeEscalation', 'privileged'],
  ['livenessProbe', 'readinessProbe'],
  ['hostPath', 'emptyDir'],
  ['port', 'targetPort'],
  ['image', 'name'],
  ['add', 'drop'],
  ['drop', 'add'],
  ['initContainers', 'containers'],
  ['minReadySeconds', 'replicas'],
  ['nodeSelector', 'schedulerName'],
  ['clusterIP', 'externalName'],
  ['host', 'http'],
  ['username', 'uid'],
];

/** Every single change of an expression, each place by itself; texts in quotes change at their ends alone. */
export function plant(expression: string): readonly Planted[] {
  const found: Planted[] = [];
  const add = (kind: Planted['kind'], changed: string): void => {
    if (changed !== expression && !found.some((each) => each.changed === changed)) {
      found.push({ kind, changed });
    }
  };
  for (const [pattern, replacement] of operators) {
    for (const { index, 0: text } of expression.matchAll(pattern)) {
      if (isQuoted(expression, index)) continue;
      add('operator', spliced(expression, index, text.length, replacement));
    }
  }
  for (const { index, 0: text } of expression.matchAll(/(?<![\w'[.])\d+(?![\w'])/g)) {
    if (isQuoted(expression, index)) continue;
    add('limit', spliced(expression, index, text.length, String(Number(text) + 1)));
  }
  for (const { index, 0: text, 1: inner = '' } of expression.matchAll(/'([^']+)'/g)) {
    const amount = /^(\d+)(\D*)$/.exec(inner);
    const other = amount === null ? `${inner}s` : `${Number(amount[1]) + 1}${amount[2]}`;
    add('limit', spliced(expression, index, text.length, `'${other}'`));
  }
  for (const [field, sibling] of siblings) {
    for (const { index, 0: text } of expression.matchAll(new RegExp(`\\.(\\??)${field}\\b`, 'g'))) {
      if (isQuoted(expression, index)) continue;
      add('field', spliced(expression, index, text.length, text.replace(field, sibling)));
    }
  }
  for (const { index } of expression.matchAll(/\[0\]/g)) {
    add('index', spliced(expression, index, 3, '[1]'));
  }
  for (const { index } of expression.matchAll(/!(?=[\w(])/g)) {
    if (!isQuoted(expression, index)) add('negation', spliced(expression, index, 1, ''));
  }
  add('negation', `!(${expression})`);
  for (const { index, 0: text } of expression.matchAll(/!?has\([^()]*\) (?:&&|\|\|) /g)) {
    add('has', spliced(expression, index, text.length, ''));
  }
  return found;
}

function spliced(text: string, at: number, length: number, replacement: string): string {
  return text.slice(0, at) + replacement + text.slice(at + length);
}

function isQuoted(text: string, at: number): boolean {
  return (text.slice(0, at).match(/'/g) ?? []).length % 2 === 1;
}
