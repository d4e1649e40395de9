import {
  isObject,
  type JsonObject,
  memberObject,
  memberObjects,
  memberText,
  memberTexts,
  objectOf,
} from '@kubeadmit/apimachinery';
import { requireArgument, requireList, requireText } from '@kubeadmit/base';

/** The engine of templates whose code is CEL. */
export const celEngine = 'K8sNativeValidation';

const reservedPrefix = 'gatekeeper_internal_';
const reservedNames = ['params', 'anyObject'];

/** The code of a template in CEL (gatekeeper, `pkg/drivers/k8scel/schema`). */
export interface TemplateSource {
  /** How evaluation errors are treated. */
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** The conditions that Gatekeeper calls `matchCondition`. */
  readonly matchConditions: readonly JsonObject[];
  /** As in a ValidatingAdmissionPolicy. */
  readonly variables: readonly JsonObject[];
  /** As in a ValidatingAdmissionPolicy. */
  readonly validations: readonly JsonObject[];
}

/** A ConstraintTemplate whose code is CEL. */
export interface Template {
  /** The kind of its constraints. */
  readonly kind: string;
  /** The operations that it is about; none for all. */
  readonly operations: readonly string[];
  /** The schema of `spec.parameters`, or `undefined` if the template has none. */
  readonly parameters: JsonObject | undefined;
  /** Whether parameters may have fields that the schema does not name. */
  readonly legacySchema: boolean;
  /** Its code in CEL. */
  readonly source: TemplateSource;
}

/** Why a template cannot be used. */
export interface TemplateProblem {
  /** Why it cannot be run here. */
  readonly problem: string;
  /** Advice on how to repair the problem. */
  readonly advice?: string;
}

/** Whether an object is a template of Gatekeeper. */
export function isTemplate(object: JsonObject): boolean {
  requireArgument('isTemplate', object, { what: 'an object of Kubernetes' });
  const { apiVersion, kind } = object;
  return kind === 'ConstraintTemplate' && isOfGroup(apiVersion, 'templates.gatekeeper.sh');
}

/** Whether an object is a constraint of Gatekeeper. */
export function isConstraint(object: JsonObject): boolean {
  requireArgument('isConstraint', object, { what: 'an object of Kubernetes' });
  const { apiVersion } = object;
  return isOfGroup(apiVersion, 'constraints.gatekeeper.sh');
}

/** The template of the constraints of a kind; undefined where it is not among the objects. */
export function templateOf(kind: string, objects: readonly JsonObject[]): JsonObject | undefined {
  requireText('templateOf', kind);
  requireList('templateOf', objects, { what: 'objects' });
  return objects.find((each) => each['kind'] === 'ConstraintTemplate' && kindOf(each) === kind);
}

/**
 * Reads a template. If it has several engines, the CEL one is used, as in Gatekeeper.
 *
 * Templates that Gatekeeper rejects, and templates with only Rego, are returned as problems.
 *
 * @throws TypeError if `template` is not an object
 */
export function readTemplate(template: JsonObject): Template | TemplateProblem {
  requireArgument('readTemplate', template, { what: 'a ConstraintTemplate' });
  const kind = kindOf(template);
  const name = memberText(memberObject(template, 'metadata'), 'name');
  if (kind === '') {
    return {
      problem: `the ConstraintTemplate \`${name}\` names no kind (spec.crd.spec.names.kind)`,
    };
  }
  if (name.toLowerCase() !== kind.toLowerCase()) {
    const problem = `the ConstraintTemplate \`${name}\` must be called \`${kind.toLowerCase()}\`, after its kind`;
    return { problem };
  }
  const targets = memberObjects(memberObject(template, 'spec'), 'targets');
  const [target] = targets;
  if (target === undefined || targets.length > 1) {
    return { problem: `the ConstraintTemplate of \`${kind}\` must have one target` };
  }
  const code = memberObjects(target, 'code').find((each) => each['engine'] === celEngine);
  if (code === undefined) {
    return {
      problem: `the ConstraintTemplate of \`${kind}\` is written in Rego`,
      advice: `write its validations in CEL (${celEngine})`,
    };
  }
  const source = readSource(kind, memberObject(code, 'source'));
  if ('problem' in source) return source;
  const validation = memberObject(crdOf(template), 'validation');
  const schema = validation['openAPIV3Schema'];
  const isOld = template['apiVersion'] !== 'templates.gatekeeper.sh/v1';
  return {
    kind,
    operations: memberTexts(target, 'operations'),
    parameters: isObject(schema) ? schema : undefined,
    legacySchema:
      typeof validation['legacySchema'] === 'boolean' ? validation['legacySchema'] : isOld,
    source,
  };
}

function readSource(kind: string, source: JsonObject): TemplateSource | TemplateProblem {
  const { failurePolicy = 'Fail' } = source;
  if (failurePolicy !== 'Fail' && failurePolicy !== 'Ignore') {
    const problem = `the ConstraintTemplate of \`${kind}\` has the unknown failure policy \`${String(failurePolicy)}\``;
    return { problem };
  }
  const matchConditions = memberObjects(source, 'matchCondition');
  const variables = memberObjects(source, 'variables');
  const isReserved = (name: string): boolean => name.startsWith(reservedPrefix);
  const condition = matchConditions.map((each) => memberText(each, 'name')).find(isReserved);
  const variable = variables
    .map((each) => memberText(each, 'name'))
    .find((name) => isReserved(name) || reservedNames.includes(name));
  const reserved = condition ?? variable;
  if (reserved !== undefined) {
    const problem = `the name \`${reserved}\` in the ConstraintTemplate of \`${kind}\` is reserved by Gatekeeper`;
    return { problem };
  }
  return {
    failurePolicy,
    matchConditions,
    variables,
    validations: memberObjects(source, 'validations'),
  };
}

function isOfGroup(apiVersion: unknown, group: string): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith(`${group}/`);
}

function crdOf({ spec }: JsonObject): JsonObject {
  return memberObject(memberObject(objectOf(spec), 'crd'), 'spec');
}

function kindOf(template: JsonObject): string {
  return memberText(memberObject(crdOf(template), 'names'), 'kind');
}
