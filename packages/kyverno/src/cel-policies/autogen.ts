import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { mapStrings } from '../autogen/map-strings.ts';
import { type TemplatePlace, templatePaths } from '../autogen/template-place.ts';
import {
  field,
  listField,
  objectField,
  objectsField,
  stringField,
  textsField,
} from '../fields/fields.ts';

/** The specs that a policy for Pods has for pod controllers, one for each place of the template. */
export interface GeneratedSpec {
  readonly place: TemplatePlace;
  readonly spec: JsonObject;
}

interface Controller {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly place: TemplatePlace;
}

const controllers: ReadonlyMap<string, Controller> = new Map([
  ['daemonsets', { group: 'apps', resource: 'daemonsets', kind: 'DaemonSet', place: 'defaults' }],
  [
    'deployments',
    { group: 'apps', resource: 'deployments', kind: 'Deployment', place: 'defaults' },
  ],
  [
    'replicasets',
    { group: 'apps', resource: 'replicasets', kind: 'ReplicaSet', place: 'defaults' },
  ],
  [
    'statefulsets',
    { group: 'apps', resource: 'statefulsets', kind: 'StatefulSet', place: 'defaults' },
  ],
  ['jobs', { group: 'batch', resource: 'jobs', kind: 'Job', place: 'defaults' }],
  ['cronjobs', { group: 'batch', resource: 'cronjobs', kind: 'CronJob', place: 'cronjobs' }],
]);

/** The specs of a ValidatingPolicy for pod controllers (Kyverno's `vpol/autogen`). */
export function generateValidating(spec: JsonObject): readonly GeneratedSpec[] {
  return generate(spec, (copy, place) => {
    const rewritten = mapStrings(copy, (text) => rewritePaths(text, templatePaths[place]));
    return isObject(rewritten) ? rewritten : copy;
  });
}

/** The specs of a MutatingPolicy for pod controllers (Kyverno's `mpol/autogen`). */
export function generateMutating(spec: JsonObject): readonly GeneratedSpec[] {
  return generate(spec, (copy, place) => {
    const convert = (holder: JsonObject): JsonObject =>
      field(holder, 'expression') === undefined
        ? holder
        : { ...holder, expression: convertMutation(stringField(holder, 'expression'), place) };
    return {
      ...copy,
      matchConditions: objectsField(copy, 'matchConditions').map(convert),
      mutations: objectsField(copy, 'mutations').map((mutation) => {
        const configuration = objectField(mutation, 'applyConfiguration');
        return configuration === undefined
          ? mutation
          : { ...mutation, applyConfiguration: convert(configuration) };
      }),
    };
  });
}

function generate(
  spec: JsonObject,
  convert: (spec: JsonObject, place: TemplatePlace) => JsonObject,
): readonly GeneratedSpec[] {
  const constraints = objectField(spec, 'matchConstraints');
  if (constraints === undefined || !isAboutPods(constraints)) return [];
  const wanted = wantedControllers(spec);
  const operations = listField(objectsField(constraints, 'resourceRules')[0] ?? {}, 'operations');
  const selector = objectField(constraints, 'namespaceSelector');
  return (['cronjobs', 'defaults'] as const).flatMap((place) => {
    const chosen = wanted.filter((controller) => controller.place === place);
    if (chosen.length === 0) return [];
    const groups = [...new Set(chosen.map(({ group }) => group))];
    const resourceRules = groups.map((group) => ({
      apiGroups: [group],
      apiVersions: ['v1'],
      resources: chosen.filter((one) => one.group === group).map(({ resource }) => resource),
      operations,
    }));
    const matchConstraints = {
      resourceRules,
      ...(selector === undefined ? {} : { namespaceSelector: selector }),
    };
    return [{ place, spec: { ...convert(spec, place), matchConstraints } }];
  });
}

/** The pod controllers that a spec is generated for at a place, in the order of Kyverno's status. */
export function controllerTargets(spec: JsonObject, place: TemplatePlace): readonly JsonObject[] {
  const chosen = wantedControllers(spec).filter((controller) => controller.place === place);
  return chosen
    .map(({ group, resource, kind }) => ({ group, version: 'v1', resource, kind }))
    .sort((a, b) => compareText(a.group + a.resource, b.group + b.resource));
}

/** Whether constraints select Pods by their resource alone. */
function isAboutPods(constraints: JsonObject): boolean {
  const selector = objectField(constraints, 'objectSelector') ?? {};
  const isSelective =
    Object.keys(objectField(selector, 'matchLabels') ?? {}).length > 0 ||
    listField(selector, 'matchExpressions').length > 0;
  const [rule, ...others] = objectsField(constraints, 'resourceRules');
  if (isSelective || rule === undefined || others.length > 0) return false;
  if (listField(constraints, 'excludeResourceRules').length > 0) return false;
  const isOnly = (name: string, value: string): boolean => {
    const values = textsField(rule, name);
    return values.length === 1 && values[0] === value;
  };
  return (
    listField(rule, 'resourceNames').length === 0 &&
    isOnly('apiGroups', '') &&
    isOnly('apiVersions', 'v1') &&
    isOnly('resources', 'pods')
  );
}

function wantedControllers(spec: JsonObject): readonly Controller[] {
  const podControllers = objectField(objectField(spec, 'autogen') ?? {}, 'podControllers') ?? {};
  const names = field(podControllers, 'controllers');
  if (!Array.isArray(names)) return [...controllers.values()];
  return names.flatMap((name) => controllers.get(String(name)) ?? []);
}

/** Rewrites paths into a Pod to paths into the template; the namespace stays that of the object. */
function rewritePaths(text: string, template: string): string {
  const spec = text.replaceAll(
    /(object|oldObject)\.spec(?!\.namespace(?![A-Za-z0-9_]))/g,
    `$1.${template}.spec`,
  );
  return spec.replaceAll(
    /(object|oldObject)\.metadata(?!\.namespace(?![A-Za-z0-9_]))/g,
    `$1.${template}.metadata`,
  );
}

function convertMutation(expression: string, place: TemplatePlace): string {
  const template = templatePaths[place];
  const rewritten = expression
    .replaceAll(/\b(object|oldObject|Object)\.spec/g, `$1.${template}.spec`)
    .replaceAll(
      /\b(object|oldObject|Object)\.metadata\.(labels|annotations)/g,
      `$1.${template}.metadata.$2`,
    );
  const opening = /^\s*Object\s*\{/.exec(rewritten);
  if (opening === null) return rewritten;
  const content = rewritten.trim().replace(/^Object\s*\{/, '');
  const end = closingBrace(content);
  if (end <= 0) return rewritten;
  const steps = template.split('.');
  const wrapper = steps.map((step, index) => {
    const type = ['Object', ...steps.slice(0, index + 1)].join('.');
    return `${step}: ${type}{`;
  });
  const head = `Object{${wrapper.join('')}`;
  return `${head}${content.slice(0, end)}${'}'.repeat(steps.length + 1)}${content.slice(end + 1)}`;
}

/** Where the brace closes that was opened before a text; braces in texts count too, as in Kyverno. */
function closingBrace(text: string): number {
  let depth = 1;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return index;
  }
  return -1;
}
