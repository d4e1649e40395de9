import {
  jmespathFunctions,
  kyvernoFieldWords,
  kyvernoFunctionWords,
  kyvernoSharedWords,
  sharedFieldWords,
  templateRequest,
  templateVariables,
} from '@kubeadmit/language/words';
import { code, type Page, table } from '../page.ts';
import { namesIn, readText } from '../repository.ts';

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

What rules of Kyverno can use, as version 1.19 has it. Policies with these run in \`check\`, \`mutate\`, \`lint\` and \`test\`, and in the playground.

## Operators of conditions

${table(['operator', 'true where'], operators)}

## Variables

${table(
  ['variable', 'meaning'],
  [
    ...Object.entries(templateVariables),
    ...Object.entries(templateRequest).map(([name, meaning]) => [`request.${name}`, meaning]),
  ].map(([name = '', meaning = '']) => [code(name), meaning]),
)}

And the entries of the rule's \`context\`, by their names.

## Functions of JMESPath

${sections.join('\n\n')}

## Anchors of patterns

${table(['anchor', 'meaning'], anchors)}

## Functions of policies in CEL

What \`ValidatingPolicy\` and \`MutatingPolicy\` can call besides the [functions of Kubernetes](./cel).

${table(
  ['function', 'what it does'],
  Object.entries(kyvernoFunctionWords).map(([name, meaning]) => [code(name), meaning]),
)}

## Fields

What the fields of policies and tests are for, by the objects that have them.

${fieldTable()}
`;
  return { path: 'reference/kyverno', markdown };
}

function fieldTable(): string {
  const rows = Object.entries(kyvernoFieldWords).flatMap(([owner, fields]) =>
    Object.entries(fields).map(([field, meaning]) => [
      owner.replace(/^Kyverno(?=.)/, ''),
      code(field),
      withVariables(meaning),
    ]),
  );
  const shared = Object.entries({ ...sharedFieldWords, ...kyvernoSharedWords }).map(
    ([field, meaning]) => ['any other', code(field), withVariables(meaning)],
  );
  return table(['object', 'field', 'meaning'], [...rows, ...shared]);
}

/** Code with braces as the site shows it: elsewhere braces are its own. */
function withVariables(meaning: string): string {
  return meaning.replaceAll(/`([^`]*\{\{[^`]*)`/g, '<code v-pre>$1</code>');
}

function functionTable(names: ReadonlySet<string>): string {
  const rows = [...names].map((name) => {
    const words = jmespathFunctions[name];
    if (words === undefined) throw new Error(`no words about the function ${name}`);
    return [code(words[0]), words[1]];
  });
  return table(['function', 'gives'], rows);
}

const entry = /^\s*\[\s*'([a-z_0-9]+)',(?!\s*')/gm;

const operators = [
  ['`Equals`, `NotEquals`', 'the key is, or is not, the value; wildcards count in texts'],
  ['`AnyIn`, `AnyNotIn`', 'at least one element of the key is, or is not, in the value'],
  ['`AllIn`, `AllNotIn`', 'all elements of the key are, or none is, in the value'],
  ['`In`, `NotIn`', 'the older forms of `AllIn` and `AllNotIn`'],
  [
    '`GreaterThan`, `GreaterThanOrEquals`, `LessThan`, `LessThanOrEquals`',
    'the order of numbers, quantities, durations and versions',
  ],
  ['`DurationGreaterThan` and its like', 'the order of durations, as texts or seconds'],
];

const anchors = [
  ['`(field)`', 'a condition: the rest of the pattern counts only where it fits'],
  ['`=(field)`', 'equality: the field has to fit where it is there'],
  ['`^(field)`', 'existence: at least one element of the list has to fit'],
  ['`X(field)`', 'negation: the field must not be there'],
  ['`<(field)`', 'a global condition: the whole rule counts only where it fits'],
  ['`+(field)`', 'in mutations: the field is added where it is not there'],
];
