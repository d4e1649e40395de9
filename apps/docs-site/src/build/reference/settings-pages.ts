import { isMap, isScalar, type Pair, parseDocument } from 'yaml';
import { code, type Page, table } from '../shared/page.ts';
import { namesIn, readText } from '../shared/repository.ts';

/** A JSON Schema, as far as pages show it. */
interface Schema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Programs that take a configuration file, by the folder that holds its schema. */
const programs = ['webhook', 'apiserver'];

/** The pages with the configuration files of the servers, and the values of the chart. */
export function settingsPages(): Page[] {
  const configurations = programs
    .filter((program) => namesIn(`apps/${program}`).includes('configuration.schema.json'))
    .map(configurationPage);
  return [...configurations, chartPage()];
}

function configurationPage(program: string): Page {
  const schema = JSON.parse(readText(`apps/${program}/configuration.schema.json`)) as Schema;
  const rows = Object.entries(schema.properties ?? {}).map(([name, setting]) => [
    code(name),
    typeOf(setting),
    setting.default === undefined ? '' : code(JSON.stringify(setting.default)),
    setting.description ?? '',
  ]);
  const markdown = `# ${schema.title ?? program}

The configuration file of the ${program} for \`--config\`, in YAML or JSON, with the names of the [options](./${program}). Options on the command line override it. The package contains its JSON Schema, \`configuration.schema.json\`. Unknown settings are errors.

${table(['setting', 'type', 'default', 'description'], rows)}
`;
  return { path: `reference/configuration-${program}`, markdown };
}

function typeOf({ type, enum: values, minimum, maximum, items }: Schema): string {
  if (values !== undefined) return values.map((value) => code(String(value))).join(', ');
  const names = typeof type === 'string' ? [type] : (type ?? ['any']);
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  const text = names
    .map((name) => (name === 'array' && items !== undefined ? `list of ${typeOf(items)}` : name))
    .join(' or ');
  return [text, ...limits].join(', ');
}

function chartPage(): Page {
  const text = readText('apps/webhook/chart/values.yaml');
  const schema = JSON.parse(readText('apps/webhook/chart/values.schema.json')) as Schema;
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error('the values of the chart must be a map');
  const rows = [...valuesOf(contents.items as Pair[], '', schema)];
  const markdown = `# Values of the chart

The values of the chart of the [webhook](./webhook) for \`helm install --set\` and \`--values\`, with their defaults. The chart has a schema, so helm rejects unknown values.

${table(['value', 'type', 'default', 'description'], rows)}
`;
  return { path: 'reference/chart-values', markdown };
}

/** The rows for the values of a map. */
function* valuesOf(items: readonly Pair[], path: string, schema: Schema): Generator<string[]> {
  for (const { key, value } of items) {
    if (!isScalar(key)) continue;
    const name = path === '' ? String(key.value) : `${path}.${key.value}`;
    const setting = schema.properties?.[String(key.value)] ?? {};
    if (isMap(value) && setting.properties !== undefined) {
      yield* valuesOf(value.items as Pair[], name, setting);
    } else {
      const given = JSON.stringify((value as { toJSON(): unknown } | null)?.toJSON() ?? null);
      const meaning = (setting.description ?? '').replace(/ \(default: [^()]*\)\.$/, '.');
      yield [code(name), typeOf(setting), code(given), meaning];
    }
  }
}
