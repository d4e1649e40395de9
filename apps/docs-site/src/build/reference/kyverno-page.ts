import {
  jmespathFunctions,
  kyvernoFieldWords,
  kyvernoFunctionWords,
  kyvernoSharedWords,
  kyvernoValueWords,
  sharedFieldWords,
  templateRequest,
  templateVariables,
} from '@kubeadmit/language/words';
import { code, type Page, table, withBraces } from '../shared/page.ts';
import { namesIn, readText } from '../shared/repository.ts';

/** The page with the operators and functions of Kyverno's rules, from the tables of the code. */
export function kyvernoPage(): Page {
  const folder = 'packages/kyverno/src/jmespath/functions';
  const sections = namesIn(folder).flatMap((file) => {
    const source = readText(`${folder}/${file}`);
    const rows = [...source.matchAll(entry)].map(([, name = '']) => name);
    const about = /\/\*\* ([^*]+?) \*\/\s*\nexport const/.exec(source)?.[1];
    if (about === undefined || rows.length === 0) return [];
    return [`### ${about.replace(/\.$/, '')}\n\n${functionTable(new Set(rows))}`];
  });
  const markdown = `# Kyverno

Operators, variables, functions, anchors and fields of Kyverno 1.19 that kubeadmit evaluates: in \`check\`, \`mutate\`, \`lint\` and \`test\`, and in the playground.

## Operators of conditions

${table(['operator', 'meaning'], operators)}

## Variables

${table(
  ['variable', 'meaning'],
  [
    ...Object.entries(templateVariables),
    ...Object.entries(templateRequest).map(([name, meaning]) => [`request.${name}`, meaning]),
  ].map(([name = '', meaning = '']) => [code(name), meaning]),
)}

The entries of the rule's \`context\` are variables too.

## Functions of JMESPath

${sections.join('\n\n')}

## Anchors of patterns

${table(['anchor', 'meaning'], anchors)}

## Functions of policies in CEL

Functions that \`ValidatingPolicy\` and \`MutatingPolicy\` can call in addition to the [functions of Kubernetes](./cel).

${table(
  ['function', 'what it does'],
  Object.entries(kyvernoFunctionWords).map(([name, meaning]) => [code(name), meaning]),
)}

## Fields

The fields of policies and tests, by object.

${fieldTable()}
`;
  return { path: 'reference/kyverno', markdown };
}

function fieldTable(): string {
  const rows = Object.entries(kyvernoFieldWords).flatMap(([owner, fields]) =>
    Object.entries(fields).map(([field, meaning]) => [
      owner.replace(/^Kyverno(?=.)/, ''),
      code(field),
      withBraces(meaning),
    ]),
  );
  const shared = Object.entries({ ...sharedFieldWords, ...kyvernoSharedWords }).map(
    ([field, meaning]) => ['any other', code(field), withBraces(meaning)],
  );
  return table(['object', 'field', 'meaning'], [...rows, ...shared]);
}

function functionTable(names: ReadonlySet<string>): string {
  const rows = [...names].map((name) => {
    const words = jmespathFunctions[name];
    if (words === undefined) throw new Error(`no description of the function ${name}`);
    return [code(words[0]), words[1]];
  });
  return table(['function', 'returns'], rows);
}

const entry = /^\s*\[\s*'([a-z_0-9]+)',(?!\s*')/gm;

const operators = Object.entries(kyvernoValueWords['v1.ConditionOperator'] ?? {}).map(
  ([name, words]) => [code(name), words],
);

const anchors = [
  ['`(field)`', 'condition: the rest of the pattern applies only if the field matches'],
  ['`=(field)`', 'equality: the field must match if it exists'],
  ['`^(field)`', 'existence: at least one element of the list must match'],
  ['`X(field)`', 'negation: the field must not exist'],
  ['`<(field)`', 'global condition: the rule applies only if the field matches'],
  ['`+(field)`', 'addition (mutations): the field is added if it is missing'],
];
