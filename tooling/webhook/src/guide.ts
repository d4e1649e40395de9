import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from '@kubeadmit/test-support';
import { followGuide } from './guide/follow-guide.ts';
import { withApiServer } from './server/api-server.ts';

// Follows the guide on a real kube-apiserver: SERVER=program KUBECTL=program tsx src/guide.ts

const { SERVER, KUBECTL } = process.env;
if (SERVER === undefined || KUBECTL === undefined) {
  console.error('usage: SERVER=program KUBECTL=program guide');
  process.exitCode = 2;
} else {
  process.chdir(fileURLToPath(new URL('../../../', import.meta.url)));
  process.exitCode = await follow(SERVER, KUBECTL);
}

function follow(program: string, command: string): Promise<number> {
  return withApiServer(program, async (server, folder) => {
    const steps = await followGuide(
      {
        kubeconfig: readFileSync(server.kubeconfig, 'utf8'),
        ask: async (method, path, sent) => {
          const { code, body } = await server.ask({ method, path, ...sent });
          return { code, object: body };
        },
        async kubectl(args, input) {
          const given = ['--kubeconfig', server.kubeconfig, ...args];
          const ended = await runProgram(command, given, { stdin: input });
          const { exitCode, stdout, stderr } = ended;
          return exitCode === 0 ? stdout.trim() : stderr.trim();
        },
      },
      folder,
    );
    let wrong = 0;
    for (const { command, output, expected } of steps) {
      console.log(`$ ${command}\n${output}`);
      if (expected === undefined ? /^error/im.test(output) : output !== expected) wrong++;
    }
    console.log(`${steps.length} commands, ${wrong} of them not as the guide says`);
    return wrong === 0 ? 0 : 1;
  });
}
