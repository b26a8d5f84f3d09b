'use strict';
const { dirname, join } = require('node:path');
const { CodeFailure } = require('./failure.cjs');

/**
 * SWI-Prolog. A program (clauses) is queried for `result(R)`; a single goal, or the goal after `?-`, for its variable
 * `Result`, and without one whether it is true. JSON objects are dicts, texts are strings.
 */
const PRELUDE = String.raw`
:- use_module(library(json)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- dynamic user:output/1, user:state/1, user:state/2.
:- dynamic goal_at/3, clause_at/2.

% The system's own would print what is wrong and succeed, though nothing is loaded: libraries are linked, or are not there.
:- redefine_system_predicate('$syspreds':use_foreign_library(_)).
:- '$syspreds':meta_predicate('$syspreds':use_foreign_library(:)).
:- '$syspreds':assertz((use_foreign_library(Module:Library) :-
       ( Library = foreign(Name), atom(Name) -> use_foreign_library_noi(Module:foreign(Name))
       ; throw(error(existence_error(foreign_library, Library), context(use_foreign_library/1, _))) ))).
% It would succeed, and nothing would run.
:- redefine_system_predicate(system:shell(_)).
:- redefine_system_predicate(system:shell(_, _)).
:- system:assertz((shell(Command) :- shell(Command, 0))).
:- system:assertz((shell(Command, _) :- throw(error(permission_error(run, program, Command), context(shell/2, _))))).

jail_run(Code, Inputs, Kind, Text) :-
    catch(jail_run_(Code, Inputs, Kind, Text), Error, jail_failure(Error, 0, Kind, Text)).

jail_check(Code, Kind, Text) :-
    catch(( jail_terms(Code, _), Kind = 'N', Text = "" ), Error, jail_failure(Error, 0, Kind, Text)).

jail_run_(Code, Inputs, Kind, Text) :-
    atom_json_dict(Inputs, Dict, [value_string_as_atom(false), tag('')]),
    get_dict(state, Dict, State),
    assertz(user:state(State)),
    forall(get_dict(Key, State, Value), assertz(user:state(Key, Value))),
    ( get_dict(output, Dict, Output) -> assertz(user:output(Output)) ; Output = null ),
    ( get_dict(event, Dict, Event) -> jail_event(Event) ; Event = null ),
    jail_terms(Code, Terms),
    jail_query(Terms, Goal, Names, Line),
    jail_bind(Names, 'Output', Output),
    jail_bind(Names, 'State', State),
    ( Event == null -> true ; jail_bind(Names, 'Event', Event) ),
    jail_expanded(Goal, Expanded),
    catch(( call(user:Expanded) -> Done = true ; Done = false ), Error, true),
    (   nonvar(Error) -> jail_failure(Error, Line, Kind, Text)
    ;   memberchk('Result'=Result, Names) ->
        (   Done == false -> Kind = 'F', Text = Line
        ;   var(Result) -> Kind = 'N', Text = ''
        ;   jail_json(Result, Json), with_output_to(string(Text), json_write_dict(current_output, Json, [width(0)])), Kind = 'J' )
    ;   Kind = 'J', Text = Done ).

jail_event(Event) :-
    assertz(user:event(Event)),
    forall(get_dict(Key, Event, Value), assertz(user:event(Key, Value))).

% Dots on dicts (Output.name) are expanded in clauses only.
jail_expanded(Goal, Expanded) :- user:expand_term((jail_goal :- Goal), (jail_goal :- Expanded)), !.
jail_expanded(Goal, Goal).

jail_bind(Names, Name, Value) :- ( memberchk(Name=Variable, Names) -> Variable = Value ; true ).

% A last goal may stand without its full stop.
jail_terms(Code, Terms) :-
    catch(jail_text(Code, "\n", Terms), error(syntax_error(end_of_file), _), fail), !.
jail_terms(Code, Terms) :-
    catch(jail_text(Code, "\n.", Terms), error(syntax_error(end_of_clause), _), fail), !.
jail_terms(Code, Terms) :- jail_text(Code, "\n", Terms).

jail_text(Code, End, Terms) :-
    string_concat(Code, End, Padded),
    setup_call_cleanup(open_string(Padded, Stream), jail_read(Stream, Terms), close(Stream)).

jail_read(Stream, Terms) :-
    read_term(Stream, Term, [module(user), variable_names(Names), term_position(Position), double_quotes(string), syntax_errors(error)]),
    (   Term == end_of_file -> Terms = []
    ;   stream_position_data(line_count, Position, Line),
        Terms = [term(Term, Names, Line)|Rest],
        jail_read(Stream, Rest) ).

jail_query([term(Term, Names, Line)], Term, Names, Line) :- jail_is_goal(Term), !.
jail_query(Terms, Goal, Names, Line) :-
    jail_load(Terms, Queries),
    (   Queries = [] ->
        Goal = result(Result), Names = ['Result'=Result],
        ( member(term(Head, _, Line), Terms), jail_defines_result(Head) -> true ; Line = 0 )
    ;   last(Queries, term(Goal, Names, Line)) ).

jail_is_goal(Term) :- callable(Term), \+ Term = (_ :- _), \+ Term = (:- _), \+ Term = (?- _), \+ Term = (_ --> _), \+ Term = result(_).
jail_defines_result((Head :- _)) :- !, Head = result(_).
jail_defines_result(result(_)).

jail_load([], []).
jail_load([term((?- Goal), Names, Line)|Rest], [term(Goal, Names, Line)|Queries]) :- !, jail_load(Rest, Queries).
jail_load([term((:- Goal), _, Line)|Rest], Queries) :- !,
    catch(( call(user:Goal) -> true ; throw(error(directive_failed(Goal), _)) ), Error, throw(jail_at(Line, Error))),
    jail_load(Rest, Queries).
jail_load([term(Term, _, Line)|Rest], Queries) :-
    catch(( expand_term(Term, Clauses), jail_assert(Clauses) ), Error, throw(jail_at(Line, Error))),
    jail_load(Rest, Queries).

jail_assert(Clauses) :- is_list(Clauses), !, forall(member(Clause, Clauses), assertz(user:Clause)).
jail_assert(Clause) :- assertz(user:Clause).

jail_failure(jail_at(Line, Error), _, Kind, Text) :- !, jail_failure(Error, Line, Kind, Text).
jail_failure(Error, At, 'E', Text) :-
    (   Error = error(syntax_error(What), Where) ->
        Name = 'SyntaxError',
        ( Where = stream(_, Line, _, _) -> true ; Where = string(_, _) -> Line = At ; Line = At ),
        ( atom(What) -> atomic_list_concat(Parts, '_', What), atomic_list_concat(Parts, ' ', Message) ; term_string(What, Message) )
    ;   Line = At,
        (   Error = error(Formal, Context) ->
            ( compound(Formal) -> functor(Formal, Name, _) ; Formal = Name ),
            jail_where(Context, Place),
            jail_message(Formal, Place, Message)
        ;   Name = 'Thrown', term_string(Error, Message) ) ),
    with_output_to(string(Text), json_write_dict(current_output, _{name: Name, message: Message, line: Line}, [width(0)])).

jail_where(context(Indicator, _), Place) :- nonvar(Indicator), Indicator \= _:'$run'/_, !, term_string(Indicator, Place).
jail_where(_, "").

jail_message(Formal, Place, Message) :-
    (   catch(message_to_codes_(Formal, Said), _, fail) -> true ; term_string(Formal, Said) ),
    ( Place == "" -> Message = Said ; format(string(Message), "~w: ~w", [Place, Said]) ).

message_to_codes_(existence_error(procedure, What), Said) :- !, format(string(Said), "unknown procedure ~q", [What]).
message_to_codes_(existence_error(Kind, What), Said) :- !, format(string(Said), "~w ~q does not exist", [Kind, What]).
message_to_codes_(type_error(Kind, What), Said) :- !, format(string(Said), "~w expected, found ~q", [Kind, What]).
message_to_codes_(instantiation_error, "arguments are not sufficiently instantiated") :- !.
message_to_codes_(resource_error(What), Said) :- !, format(string(Said), "not enough resources: ~w", [What]).
message_to_codes_(directive_failed(Goal), Said) :- !, format(string(Said), "the directive failed: ~q", [Goal]).
message_to_codes_(Formal, Said) :- term_string(Formal, Said).

jail_json(Term, _) :- var(Term), !, throw(error(type_error(json, Term), _)).
jail_json(Dict, Json) :- is_dict(Dict), !, dict_pairs(Dict, _, Pairs), jail_pairs(Pairs, Jsons), dict_pairs(Json, _, Jsons).
jail_json(List, Json) :- is_list(List), List = [_|_], maplist(jail_named, List, Pairs), !, jail_pairs(Pairs, Jsons), dict_pairs(Json, _, Jsons).
jail_json(List, Json) :- is_list(List), !, maplist(jail_json, List, Json).
jail_json(json(List), Json) :- !, jail_json(List, Json).
jail_json(Left-Right, [L, R]) :- !, jail_json(Left, L), jail_json(Right, R).
jail_json(Term, _) :- float(Term), \+ catch(( Term < inf, Term > -inf ), _, fail), !, throw(error(type_error('number that JSON has', Term), _)).
jail_json(Term, Term) :- ( number(Term), \+ rational(Term, _, 1), \+ float(Term) -> fail ; ( number(Term) ; string(Term) ) ), !.
jail_json(Term, Json) :- rational(Term), !, Json is float(Term).
jail_json(Term, Term) :- memberchk(Term, [true, false, null]), !.
jail_json(Term, Json) :- atom(Term), !, atom_string(Term, Json).
jail_json(Term, _) :- throw(error(type_error(json, Term), _)).
jail_pairs([], []).
jail_pairs([Key-Value|Rest], [Key-Json|Jsons]) :- jail_json(Value, Json), jail_pairs(Rest, Jsons).
jail_named(Key=Value, Key-Value) :- atom(Key).
`;

async function load() {
  const folder = join(dirname(require.resolve('swipl-wasm/package.json')), 'dist', 'swipl', '/');
  const start = require('swipl-wasm/dist/swipl/swipl-web.js');
  const swipl = await start({
    arguments: ['-q', '--no-tty'],
    locateFile: (file) => folder + file,
    print: () => {},
    printErr: () => {},
  });
  swipl.FS.writeFile('/prelude.pl', PRELUDE);
  const loaded = swipl.prolog.query("load_files('/prelude.pl', [silent(true)])").once();
  if (!loaded.success) throw new Error(`the prelude does not load: ${loaded.message}`);
  return { run: (job) => run(swipl, job), check: (code) => check(swipl, code) };
}

/** Reads the terms of code. */
function check(swipl, code) {
  answerOf(swipl.prolog.query('jail_check(Code, Kind, Text)', { Code: code }).once());
}

function run(swipl, { code, inputs, memoryBytes }) {
  const given = JSON.stringify(inputs);
  swipl.prolog.query(`set_prolog_flag(stack_limit, ${Math.floor(memoryBytes / 2)})`).once();
  const answer = swipl.prolog
    .query('jail_run(Code, Inputs, Kind, Text_), (string(Text_) -> Text = Text_ ; term_string(Text_, Text))', {
      Code: code,
      Inputs: given,
    })
    .once();
  return answerOf(answer);
}

function answerOf(answer) {
  if (!answer.success) throw new CodeFailure('Error', answer.message ?? 'the query failed');
  const kind = String(answer.Kind);
  const text = textOf(answer.Text);
  if (kind === 'J') return text;
  if (kind === 'N') return undefined;
  if (kind === 'F')
    throw new CodeFailure('Failed', 'no solution: the goal is false, and Result has no value', lineOf(Number(text)));
  const { name, message, line } = JSON.parse(text);
  throw new CodeFailure(name, message, lineOf(line));
}

function textOf(value) {
  return typeof value === 'object' && value !== null && 'v' in value ? String(value.v) : String(value);
}

function lineOf(line) {
  return line > 0 ? line : undefined;
}

module.exports = { load };
