import type { Ask } from '../play/play-case.ts';
import type { PermissionRequest } from './requests.ts';
import { permissionUsers, userName } from './users.ts';

/** The users who got each answer, by its code, reason and, for missing permissions, message. */
export type PermissionAnswers = Readonly<Record<string, readonly string[]>>;

/** Returns the name of a request in the recorded answers. */
export function requestKey({ method, path, contentType }: PermissionRequest): string {
  return `${method} ${path}${contentType === undefined ? '' : ` ${contentType}`}`;
}

/** Makes a request as each of the users. */
export async function askUsers(ask: Ask, request: PermissionRequest): Promise<PermissionAnswers> {
  const answers: Record<string, string[]> = {};
  for (const user of Object.keys(permissionUsers)) {
    const { method, path, contentType = 'application/json', body } = request;
    const { status, text } = await ask({
      method,
      path,
      headers: {
        'user-agent': 'case/1.0',
        'impersonate-user': userName(user),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      as: 'admin',
    });
    const answer = shortAnswer(status, text).replaceAll(userName(user), '<user>');
    answers[answer] = [...(answers[answer] ?? []), user];
  }
  return answers;
}

// Leaves out objects and messages about invalid objects, which other cases cover.
function shortAnswer(status: number, text: string): string {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    readonly kind?: string;
    readonly reason?: string;
    readonly message?: string;
  };
  if (body.kind !== 'Status') return String(status);
  const isAboutRights = status === 403 || /permission|attempting/.test(body.message ?? '');
  const parts = [String(status), body.reason, isAboutRights ? body.message : undefined];
  return parts.filter((part) => part !== undefined).join(' ');
}
