import { PlainError } from '../errors/api-error.ts';
import type { Exchange } from '../machinery.ts';
import type { ApiResponse } from '../response.ts';

/** Answers `/openapi/v2` and `/openapi/v3`. */
export async function openApiResponse(
  _exchange: Exchange,
  _path: readonly string[],
): Promise<ApiResponse> {
  throw new PlainError(404, '404 page not found\n');
}
