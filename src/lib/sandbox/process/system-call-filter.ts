import { spawnSync } from 'node:child_process';
import { toolPath } from '../tools';

interface Architecture {
  audit: number;
  prctl: number;
  /** `socket` and `socketpair`; their first argument is the family. */
  sockets: readonly number[];
  /** `add_key`, `request_key`, `keyctl` and `io_uring_setup`. */
  denied: readonly number[];
}

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, Architecture>> = {
  x64: { audit: 0xc000_003e, prctl: 157, sockets: [41, 53], denied: [248, 249, 250, 425] },
  arm64: { audit: 0xc000_00b7, prctl: 167, sockets: [198, 199], denied: [217, 218, 219, 425] },
};

/** Pipes between processes are such sockets; a jail has use for no other family. */
const AF_UNIX = 1;
/** The first number of the system calls of another ABI of x86-64 (x32). */
const OTHER_ABI = 0x4000_0000;

/** The offsets in the data that a filter decides on. */
const NUMBER = 0;
const AUDIT = 4;
const FIRST_ARGUMENT = 16;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];
/** Makes an instruction. A jump skips as many instructions as it says. */
const load = (place: number): Instruction => [0x20, 0, 0, place];
const ifEqual = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, value];
const ifAtLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, value];
const ALLOW: Instruction = [0x06, 0, 0, 0x7fff_0000];
/** The instruction that denies a call with the error EPERM. */
const DENY: Instruction = [0x06, 0, 0, 0x0005_0001];

function filterOf({ audit, sockets, denied }: Architecture): string {
  const instructions = [
    load(AUDIT),
    ifEqual(audit, 1, 0),
    DENY,
    load(NUMBER),
    ifAtLeast(OTHER_ABI, 0, 1),
    DENY,
    ...denied.flatMap((call) => [ifEqual(call, 0, 1), DENY]),
    ...sockets.flatMap((call) => [ifEqual(call, 0, 4), load(FIRST_ARGUMENT), ifEqual(AF_UNIX, 1, 0), DENY, ALLOW]),
    ALLOW,
  ];
  const bytes = instructions.map(([code, ifTrue, ifFalse, value]) => {
    const instruction = Buffer.from([code, 0, ifTrue, ifFalse, 0, 0, 0, 0]);
    instruction.writeUInt32LE(value, 4);
    return instruction;
  });
  return Buffer.concat(bytes).toString('hex');
}

/** The exit code of a loader without a program when the kernel refused the filter. */
const REFUSED = 3;

/** Puts a filter on itself and becomes the named program. Without one, its exit code says how it went. */
const LOADER = `
my ($prctl, $filter) = (0 + shift, pack 'H*', shift);
my $refused = syscall($prctl, 22, 2, pack 'S x6 P', length($filter) / 8, $filter);
exit($refused ? ${REFUSED} : 0) unless @ARGV;
exec { $ARGV[0] } @ARGV;
print STDERR "$ARGV[0]: $!\n";
exit 127;
`;

function loader(): string[] | { why: string } {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) return { why: `there is none for ${process.arch}` };
  const perl = toolPath('perl');
  if (perl === undefined) return { why: 'Perl is missing' };
  return [perl, '-e', LOADER, String(architecture.prctl), filterOf(architecture)];
}

/**
 * Returns the beginning of the command of a process that may make no sockets except those of Unix, and use neither keys
 * nor io_uring. It is empty if the machine has no Perl: neither Node nor util-linux 2.38 can install such a filter.
 */
export function systemCallFilter(): string[] {
  const command = loader();
  return Array.isArray(command) ? command : [];
}

/** Why processes in namespaces run without a filter of system calls on this machine; `undefined` if they run with one. */
export function whyUnfiltered(setpriv: string): string | undefined {
  const command = loader();
  if (!Array.isArray(command)) return command.why;
  const { status } = spawnSync(setpriv, ['--no-new-privs', ...command], { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? undefined : 'the kernel refuses it';
}
