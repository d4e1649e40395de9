import { type FieldError, formatFieldError, type JsonObject } from '@kubeadmit/apimachinery';
import { forbidden, invalid, required } from '@kubeadmit/apimachinery/field-errors';
import { parseDuration } from '@kubeadmit/go';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import { compileExpression } from '../jmespath/expression.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { type Problem, pathOf } from './problem.ts';

/**
 * Returns the problems for which Kyverno's webhook refuses a GlobalContextEntry (`GlobalContextEntry.Validate`).
 * `findSchemaProblems` finds violations of the definition.
 */
export function validateGlobalContext(source: JsonObject): readonly Problem[] {
  const spec = objectField(source, 'spec') ?? {};
  const name = stringField(objectField(source, 'metadata') ?? {}, 'name');
  const [resource, call] = [objectField(spec, 'kubernetesResource'), objectField(spec, 'apiCall')];
  return [
    ...(resource === undefined ? [] : resourceErrors(resource)),
    ...(call === undefined ? [] : callErrors(call)),
    ...objectsField(spec, 'projections').flatMap((projection, at) =>
      projectionErrors(projection, `spec.projections[${at}]`, name),
    ),
  ].map((error) => ({ message: formatFieldError(error), path: pathOf(error.field) }));
}

function resourceErrors(resource: JsonObject): readonly FieldError[] {
  const [group, version, plural] = ['group', 'version', 'resource'].map((one) =>
    stringField(resource, one),
  );
  const path = 'spec.resource';
  return [
    ...(group === '' && version !== 'v1'
      ? [required(`${path}.group`, 'A Resource entry requires a group')]
      : []),
    ...(version === '' ? [required(`${path}.version`, 'A Resource entry requires a version')] : []),
    ...(plural === ''
      ? [required(`${path}.resource`, 'A Resource entry requires a resource')]
      : []),
  ];
}

function callErrors(call: JsonObject): readonly FieldError[] {
  const path = 'spec.apiCall';
  const interval = stringField(call, 'refreshInterval');
  const hasService = objectField(call, 'service') !== undefined;
  const hasPath = stringField(call, 'urlPath') !== '';
  const needsPost = Array.isArray(field(call, 'data')) && stringField(call, 'method') !== 'POST';
  return [
    ...(interval !== '' && parseDuration(interval) === 0n
      ? [
          required(
            `${path}.refreshIntervalSeconds`,
            'A Resource entry requires a refresh interval greater than 0 seconds',
          ),
        ]
      : []),
    ...(hasService === hasPath
      ? [forbidden(`${path}.service`, 'An External API call should either have Service or URLPath')]
      : []),
    ...(needsPost
      ? [forbidden(`${path}.method`, 'An External API call with data should have method as POST')]
      : []),
  ];
}

function projectionErrors(
  projection: JsonObject,
  path: string,
  entry: string,
): readonly FieldError[] {
  const [name, query] = [stringField(projection, 'name'), stringField(projection, 'jmesPath')];
  const compiled = compileExpression(query);
  const own = 'A projection entry requires a name different from the global context entry name';
  return [
    ...(name === '' ? [required(`${path}.name`, 'A projection entry requires a name')] : []),
    ...(name === entry ? [required(`${path}.name`, own)] : []),
    ...(query === ''
      ? [required(`${path}.jmesPath`, 'A projection entry requires a JMESPath')]
      : []),
    ...(compiled instanceof Failure ? [invalid(`${path}.jmesPath`, query, compiled.message)] : []),
  ];
}
