import { CelError, type Library, type Value } from '@kubeadmit/cel';
import type { FunctionRow } from '@kubeadmit/cel/declarations';
import { quote } from '@kubeadmit/go';
import { toCelValue } from '../../cel/cel-value.ts';
import type { SourceAnswer } from '../../context/sources.ts';
import { type ContextValue, contextTypes } from './context-value.ts';
import { functionsNamed } from './declare.ts';

/**
 * Requests to services (Kyverno's `kyverno.http`): `http.get("https://example.com").body`. Policies of a namespace get
 * an error unless a source answers them.
 */
export function httpLibrary(namespace: string): Library {
  return {
    name: 'kyverno.http',
    types: [contextTypes.http],
    functions: functionsNamed(
      [
        ...requestRows('get Get', 'GET', '', namespace),
        ...requestRows('post Post', 'POST', ', any', namespace),
        ['client Client', 'http_client_string', 'Http.(string) -> Http', (context) => context],
      ],
      { Http: contextTypes.http },
    ),
  };
}

function requestRows(
  names: string,
  method: 'GET' | 'POST',
  body: string,
  namespace: string,
): readonly FunctionRow[] {
  const evaluate = ({ sources }: ContextValue, url: string): Value => {
    const missing = missingData(
      `answer for ${method} ${url}`,
      '`apiCallResponses` of a kyverno-test.yaml (for `check`: `--context-file`)',
    );
    const answer = sources.http?.(method, url, namespace);
    return answered('request failed', answer ?? (namespace === '' ? missing : noHttp));
  };
  const id = `http_${method.toLowerCase()}_string`;
  return [
    [names, id, `Http.(string${body}) -> any`, evaluate],
    [names, `${id}_headers`, `Http.(string${body}, map<string, string>) -> any`, evaluate],
  ];
}

const noHttp: SourceAnswer = {
  error:
    'http calls are not allowed in namespaced policies: set --allowHTTPInNamespacedPolicies to enable',
};

/**
 * Global context entries (Kyverno's `kyverno.globalcontext`): `globalContext.get("deployments", "names")`. They are
 * data of the cluster, so that policies of a namespace get an error.
 */
export function globalContextLibrary(namespace: string): Library {
  const evaluate = namespace === '' ? globalEntry : noGlobalEntry;
  return {
    name: 'kyverno.globalcontext',
    types: [contextTypes.globalContext],
    functions: functionsNamed(
      [
        ['get Get', 'globalcontext_get_string', 'Global.(string) -> dyn', evaluate],
        ['get Get', 'globalcontext_get_string_string', 'Global.(string, string) -> dyn', evaluate],
      ],
      { Global: contextTypes.globalContext },
    ),
  };
}

function globalEntry({ sources }: ContextValue, name: string, projection: Value = ''): Value {
  const missing = missingData(
    `data of the entry ${quote(name)}`,
    'a GlobalContextEntry among the inputs, or `globalContextEntries` of a kyverno-test.yaml (for `check`: `--context-file`)',
  );
  const answer = sources.globalContext?.(name, projection as string);
  return answered('failed to get global reference', answer ?? missing);
}

function noGlobalEntry(): Value {
  const error = 'globalContext.* is not allowed in namespaced policies';
  return answered('failed to get global reference', { error });
}

/** Data of images (Kyverno's `kyverno.imagedata`): `image.getMetadata("nginx:1.27").config`. */
export const imageDataLibrary: Library = {
  name: 'kyverno.imagedata',
  types: [contextTypes.image],
  functions: functionsNamed(
    [['getMetadata GetMetadata', 'imagedata_get_string', 'Images.(string) -> dyn', imageData]],
    { Images: contextTypes.image },
  ),
};

function imageData({ sources }: ContextValue, image: string): Value {
  const missing = missingData(
    `data of the image ${quote(image)}`,
    '`images` of a Context (`context` of a kyverno-test.yaml; for `check`: `--context-file`)',
  );
  return answered('failed to get image data', sources.imageData?.(image) ?? missing);
}

/** The error for data that no source contains: it names the data and the way to provide them. */
function missingData(data: string, place: string): SourceAnswer {
  return { error: `no ${data}; give it in ${place}` };
}

function answered(text: string, answer: SourceAnswer): Value {
  return 'data' in answer ? toCelValue(answer.data) : new CelError(`${text}: ${answer.error}`);
}
