import { CelError, type Library, type Value } from '@kubeadmit/cel';
import { anyType, dynType, mapOf, stringType } from '@kubeadmit/cel/internal';
import type { SourceAnswer } from '../../context/sources.ts';
import { toCelValue } from '../../policy/cel-value.ts';
import { type ContextValue, contextTypes } from './context-value.ts';
import { membersNamed } from './declare.ts';

const headersType = mapOf(stringType, stringType);

/** Requests to services (Kyverno's `kyverno.http`): `http.get("https://example.com").body`. */
export const httpLibrary: Library = {
  name: 'kyverno.http',
  types: [contextTypes.http],
  functions: [
    ...membersNamed(['get', 'Get'], ...requestForms('GET', [])),
    ...membersNamed(['post', 'Post'], ...requestForms('POST', [anyType])),
    ...membersNamed(['client', 'Client'], {
      id: 'http_client_string',
      parameters: [contextTypes.http, stringType],
      result: contextTypes.http,
      evaluate: (context) => context,
    }),
  ],
};

function requestForms(method: 'GET' | 'POST', body: readonly (typeof anyType)[]) {
  const parameters = [contextTypes.http, stringType, ...body];
  const evaluate = (context: Value, url: Value): Value =>
    answered('request failed', (context as ContextValue).sources.http?.(method, url as string));
  const id = `http_${method.toLowerCase()}_string`;
  return [
    { id, parameters, result: anyType, evaluate },
    { id: `${id}_headers`, parameters: [...parameters, headersType], result: anyType, evaluate },
  ];
}

/** Global context entries (Kyverno's `kyverno.globalcontext`): `globalContext.get("deployments", "names")`. */
export const globalContextLibrary: Library = {
  name: 'kyverno.globalcontext',
  types: [contextTypes.globalContext],
  functions: membersNamed(
    ['get', 'Get'],
    {
      id: 'globalcontext_get_string',
      parameters: [contextTypes.globalContext, stringType],
      result: dynType,
      evaluate: (context, name) => globalEntry(context as ContextValue, name as string, ''),
    },
    {
      id: 'globalcontext_get_string_string',
      parameters: [contextTypes.globalContext, stringType, stringType],
      result: dynType,
      evaluate: (context, name, projection) =>
        globalEntry(context as ContextValue, name as string, projection as string),
    },
  ),
};

function globalEntry({ sources }: ContextValue, name: string, projection: string): Value {
  const answer = sources.globalContext?.(name, projection);
  return answered('failed to get global reference', answer);
}

/** Data of images (Kyverno's `kyverno.imagedata`): `image.getMetadata("nginx:1.27").config`. */
export const imageDataLibrary: Library = {
  name: 'kyverno.imagedata',
  types: [contextTypes.image],
  functions: membersNamed(['getMetadata', 'GetMetadata'], {
    id: 'imagedata_get_string',
    parameters: [contextTypes.image, stringType],
    result: dynType,
    evaluate: (context, image) =>
      answered(
        'failed to get image data',
        (context as ContextValue).sources.imageData?.(image as string),
      ),
  }),
};

function answered(text: string, answer: SourceAnswer | undefined): Value {
  if (answer === undefined) return new CelError(`${text}: no such data are given`);
  return 'data' in answer ? toCelValue(answer.data) : new CelError(`${text}: ${answer.error}`);
}
