import type { UserInfo } from '@kubeadmit/engine';

/** One HTTP request, read and authenticated by the host. */
export interface ApiRequest {
  /** In capitals. */
  readonly method: string;
  /** The path of the URL as it was sent, without the query; segments are percent-encoded. */
  readonly path: string;
  /** The parameters behind the path. */
  readonly query: URLSearchParams;
  /** Names in lower case; of several lines of one header each by itself. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The body, absent if there is none. It is read only when needed, so that a host need not read the body of a refused
   * request; a body above {@link maximumBodySize} is answered by `tooLarge`.
   */
  readonly readBody?: (() => Promise<RequestBody>) | undefined;
  /** Who asks, as the host has authenticated them, with their groups (`system:authenticated` too). */
  readonly user: UserInfo;
  /** Aborts when the client is gone. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A request with another signal or user. The signal is read when it is needed, since signals are expensive and few
 * handlers use them.
 */
export function withSignal(
  request: ApiRequest,
  signal: () => AbortSignal | undefined,
  user: UserInfo = request.user,
): ApiRequest {
  const { method, path, query, headers, readBody } = request;
  return {
    method,
    path,
    query,
    headers,
    readBody,
    user,
    get signal() {
      return signal();
    },
  };
}

/** The lines of a header. */
export function headerLines(
  { headers }: Pick<ApiRequest, 'headers'>,
  name: string,
): readonly string[] {
  const lines = headers[name] ?? [];
  return typeof lines === 'string' ? [lines] : lines;
}

/** The first line of a header, the one that counts where only one has a meaning (Go's `Header.Get`). */
export function headerOf(request: Pick<ApiRequest, 'headers'>, name: string): string | undefined {
  return headerLines(request, name)[0];
}

/** The body of a request. */
export type RequestBody =
  /** The bytes as they came; empty where there are none. */
  | { readonly bytes: Uint8Array; readonly tooLarge?: false }
  /** Whether the client sent more than {@link maximumBodySize}; the body is then discarded. */
  | { readonly tooLarge: true };

/** The greatest size of a body in bytes (kube-apiserver's `MaxRequestBodyBytes`). */
export const maximumBodySize: number = 3 * 1024 * 1024;
