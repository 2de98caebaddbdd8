# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scopes: the extension, with a simulated clock where durations matter."""

import asyncio
import concurrent.futures
import contextlib
import copy
import ctypes
import functools
import gc
import inspect
import multiprocessing
import os
import pickle
import random
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import mlir_prof
from mlir_prof import _scopes, _tasks
from scope_common import Clock, name_tree, run_python

#: Libraries with copies of the runtime, of the unit tests.
COPIES = os.environ["MLIR_PROF_COPIES"].split(os.pathsep)


@mlir_prof.scope("at module level")
def module_level():
    return 1


def spend(clock, ns):
    clock.advance(ns)
    return ns


class Scopes(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        self.addCleanup(self.clock.close)
        self.profiler = mlir_prof.Profiler()
        self.profiler.start()
        self.addCleanup(self.profiler.stop)

    def times(self):
        return self.profiler.get_ns()

    def test_a_with_statement_measures(self):
        with mlir_prof.scope("a"):
            self.clock.advance(5)
            with mlir_prof.scope("b"):
                self.clock.advance(7)
        self.assertEqual(self.times(), {"b": 7, "a": 12})
        rows = {row.name: row for row in self.profiler.rows("path")}
        self.assertEqual(rows["a"].self_ps, 5000)
        self.assertEqual(self.profiler.rows("path")[rows["b"].parent].name, "a")

    def test_an_object_serves_recursion_and_reentry(self):
        one = mlir_prof.scope("one")
        with one:
            self.clock.advance(1)
            with one:
                self.clock.advance(2)
            with one as inner:
                self.assertIs(inner, one)
                self.clock.advance(4)
        events = [(event.duration_ps, event.self_ps)
                  for event in self.profiler.events()]
        self.assertEqual(events, [(2000, 2000), (4000, 4000), (7000, 1000)])

    def test_an_exception_passes_and_the_time_counts(self):
        with self.assertRaises(KeyError):
            with mlir_prof.scope("a"):
                self.clock.advance(3)
                raise KeyError("k")
        self.assertEqual(self.times(), {"a": 3})

    def test_functions_are_decorated(self):
        class Owner:
            @mlir_prof.scope("method")
            def method(self, a, *, b=2):
                """Text."""
                return self, a, b

            @staticmethod
            @mlir_prof.scope("static")
            def static():
                return 3

            @classmethod
            @mlir_prof.scope("class")
            def of_class(cls):
                return cls

        owner = Owner()
        self.assertEqual(owner.method(1, b=3), (owner, 1, 3))
        self.assertEqual(Owner.static(), 3)
        self.assertIs(Owner.of_class(), Owner)
        self.assertEqual(Owner.method.__doc__, "Text.")
        self.assertEqual(Owner.method.__name__, "method")
        self.assertEqual(list(inspect.signature(Owner.method).parameters),
                         ["self", "a", "b"])
        self.assertEqual(set(self.times()), {"method", "static", "class"})

    def test_a_decorated_function_recurses_raises_and_is_pickled(self):
        @mlir_prof.scope("down")
        def down(n):
            self.clock.advance(1)
            return down(n - 1) if n else 1 / 0

        with self.assertRaises(ZeroDivisionError):
            down(3)
        row, = self.profiler.rows()
        self.assertEqual((row.calls, row.recursive), (4, 3))
        self.assertEqual((row.total_ps, row.recursive_ps), (4000, 6000))
        self.assertIs(pickle.loads(pickle.dumps(module_level)), module_level)
        self.assertIs(copy.copy(module_level), module_level)

    def test_only_functions_are_decorated(self):
        for wrong in (3, int, None):
            with self.assertRaisesRegex(TypeError, "a scope decorates a func"):
                mlir_prof.scope("x")(wrong)
        with self.assertRaises(TypeError):
            mlir_prof.scope("x")(len, len)

    def test_begin_and_end(self):
        mlir_prof.begin("a")
        self.clock.advance(1)
        mlir_prof.begin("b", type=mlir_prof.Type.Forward, level=1, role=2)
        self.clock.advance(2)
        mlir_prof.end()
        mlir_prof.end()
        self.assertEqual(self.times(), {"b": 2, "a": 3})
        event = self.profiler.events()[0]
        self.assertEqual((event.type, event.level, event.role), (9, 1, 2))

    def test_begin_and_with_do_not_end_each_other(self):
        mlir_prof.begin("a")
        with mlir_prof.scope("b"):
            self.clock.advance(1)
            mlir_prof.end()
            self.clock.advance(2)
        self.assertEqual(self.times(), {"a": 1, "b": 3})
        self.assertEqual(self.profiler.losses, {})

    def test_objects_begin_and_end_too(self):
        one = mlir_prof.scope("one")
        one.begin()
        self.clock.advance(1)
        one.suspend()
        self.clock.advance(10)
        one.resume()
        self.clock.advance(2)
        one.end()
        self.assertEqual(self.times(), {"one": 3})

    def test_ends_and_resumes_without_begins_are_losses(self):
        mlir_prof.end()
        mlir_prof.scope("x").end()
        mlir_prof.scope("x").__exit__(None, None, None)
        mlir_prof.scope("x").suspend()
        mlir_prof.scope("x").resume()
        self.assertEqual(self.profiler.losses,
                         {"end of a scope that was not open": 3})

    def test_another_thread_ends_a_scope(self):
        one = mlir_prof.scope("one")
        one.begin()
        self.clock.advance(4)
        thread = threading.Thread(target=one.end)
        thread.start()
        thread.join()
        self.clock.advance(4)
        self.assertEqual(self.times(), {"one": 4})
        self.assertEqual(self.profiler.losses, {})

    def test_names_of_any_text(self):
        names = ['"quoted"', "new\nline", "\ud800half", "nul\0nul", "", "ü€😀",
                 "x" * (1 << 20), "</script>", "a/b%p"]
        for name in names:
            with mlir_prof.scope(name):
                pass
            mlir_prof.begin(name)
            mlir_prof.end()
        self.assertEqual([event.name for event in self.profiler.events()],
                         [name for name in names for _ in range(2)])

    def test_a_subclass_of_str_is_kept_as_text(self):
        class Odd(str):
            def __hash__(self):
                raise ValueError

            def __eq__(self, other):
                raise ValueError

        with mlir_prof.scope(Odd("odd")):
            pass
        self.assertEqual(self.times(), {"odd": 0})

    def test_arguments_are_checked(self):
        for arguments in ((), (1,), (b"x",), ("x", "y"), ("x", 1, 1, 1, 1)):
            for function in (mlir_prof.scope, mlir_prof.begin):
                with self.assertRaises(TypeError):
                    function(*arguments)
        for named in (dict(type=64), dict(type=-1), dict(level=0),
                      dict(level=256), dict(role=300)):
            with self.assertRaises(ValueError):
                mlir_prof.scope("x", **named)
        with self.assertRaisesRegex(TypeError, "'kind'"):
            mlir_prof.scope("x", kind=1)
        with self.assertRaisesRegex(TypeError, "two arguments name"):
            mlir_prof.scope("x", name="y")
        with self.assertRaises(TypeError):
            mlir_prof.interval("x", 1)

    def test_properties_and_text(self):
        one = mlir_prof.scope("a", level=3, type=2, role=1)
        self.assertEqual((one.name, one.type, one.level, one.role),
                         ("a", 2, 3, 1))
        self.assertEqual(repr(one), "scope('a', type=2, level=3, role=1)")
        with self.assertRaises(AttributeError):
            one.name = "b"

    def test_subclasses(self):
        class Mine(mlir_prof.scope):
            def __new__(cls, name):
                return super().__new__(cls, name, level=1)

            def __enter__(self):
                self.entered = True
                return super().__enter__()

        with Mine("mine") as mine:
            self.clock.advance(1)
        self.assertTrue(mine.entered)

        @Mine("mine")
        def function():
            return 2
        self.assertEqual(function(), 2)
        self.assertEqual(self.profiler.rows()[0].calls, 2)

    def test_an_exit_stack_and_explicit_calls(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(mlir_prof.scope("a"))
            self.clock.advance(1)
        one = mlir_prof.scope("b")
        type(one).__enter__(one)
        self.clock.advance(2)
        type(one).__exit__(one, None, None, None)
        with self.assertRaises(TypeError):
            type(one).__enter__(3)
        self.assertEqual(self.times(), {"a": 1, "b": 2})

    def test_intervals_measured_elsewhere(self):
        begin = self.clock.now
        self.clock.advance(100)
        mlir_prof.interval("device", begin + 10, begin + 40, type=4, role=1)
        with self.assertRaisesRegex(ValueError, "before its begin"):
            mlir_prof.interval("backwards", begin + 10, begin + 5)
        event = self.profiler.events()[0]
        self.assertEqual((event.duration_ps, event.type, event.role,
                          event.is_outside), (30000, 4, 1, True))
        self.assertEqual(self.times(), {"device": 30})

    def test_a_stream_file_has_the_part_of_the_session(self):
        with mlir_prof.scope("before"):
            self.clock.advance(1)
        self.clock.advance(1)
        session = _scopes.Session()
        with mlir_prof.scope("inside"):
            self.clock.advance(2)
        self.clock.advance(1)
        session.stop()
        self.clock.advance(1)
        with mlir_prof.scope("after"):
            self.clock.advance(4)
        copy = _scopes.Recording.from_bytes(session.copy())
        self.assertEqual(copy.events(), session.read().events())
        self.assertEqual([event[0] for event in copy.events()], ["inside"])
        self.assertEqual(session.elapsed_ps, 3000)
        for wrong in (b"", b"x" * 9999, session.copy()[:100]):
            with self.assertRaisesRegex(ValueError, "hint: "):
                _scopes.Recording.from_bytes(wrong)

    def test_levels_and_types(self):
        with mlir_prof.Profiler(level=2, types=[mlir_prof.Type.Forward]) as own:
            with mlir_prof.scope("deep", level=2), \
                    mlir_prof.scope("deeper", level=3), \
                    mlir_prof.scope("forward", type=mlir_prof.Type.Forward):
                self.assertTrue(mlir_prof.is_on(2))
                self.assertFalse(mlir_prof.is_on(3))
        # The outer profiler has all types; the widest level holds for both.
        self.assertEqual(set(own.get()), {"deep", "forward"})
        with mlir_prof.scope("deep", level=2):
            pass
        self.assertEqual(set(self.profiler.get()), {"deep", "forward"})

    def test_threads_record_and_end(self):
        one = mlir_prof.scope("one")
        barrier = threading.Barrier(8)

        def work(index):
            barrier.wait()
            for _ in range(100):
                with one, mlir_prof.scope(f"own {index}"):
                    pass
            mlir_prof.begin("left open")

        threads = [threading.Thread(target=work, args=[i]) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = {row.name: row for row in self.profiler.rows()}
        self.assertEqual(rows["one"].calls, 800)
        self.assertEqual([rows[f"own {i}"].calls for i in range(8)], [100] * 8)
        self.assertEqual(rows["left open"].open, 8)

    def test_contexts(self):
        self.assertFalse(mlir_prof.here())
        with mlir_prof.scope("spawner"):
            context = mlir_prof.here()
            self.assertTrue(context)

        def work():
            with context, mlir_prof.scope("work"):
                pass
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(name_tree(self.profiler), {"spawner": {"work": {}}})

    def test_loops_without_ends_do_not_grow_when_off(self):
        self.profiler.stop()
        open_before = _scopes.count_open()
        for _ in range(1000):
            mlir_prof.begin("x")
        self.assertEqual(_scopes.count_open(), open_before + 1000)
        for _ in range(1000):
            mlir_prof.end()
        self.assertEqual(_scopes.count_open(), open_before)

    def test_begins_and_ends_pair_across_starts_and_stops(self):
        one = mlir_prof.scope("one")
        with one:
            self.clock.advance(1)
            self.profiler.stop()
            with one:
                self.clock.advance(2)
                self.profiler.start()
                self.clock.advance(4)
            with one:
                self.clock.advance(8)
        self.assertEqual(self.profiler.get_ns(), {"one": 8})
        self.assertEqual([row.calls for row in self.profiler.rows()][-1], 1)
        self.assertEqual(self.profiler.losses, {})

    def test_random_programs_equal_a_model(self):
        for seed in range(200):
            with self.subTest(seed=seed):
                self.check_random_program(random.Random(seed))

    def check_random_program(self, choice):
        """Scopes of one thread, begun and ended in any order, against sums that
        know of nothing but their begins and ends."""
        profiler = mlir_prof.Profiler()
        profiler.start()
        scopes = [mlir_prof.scope(f"s{index}") for index in range(4)]
        expected, open_scopes, ended = {}, [], 0
        for _ in range(60):
            self.clock.advance(choice.randrange(1, 50))
            action = choice.random()
            if action < 0.5:
                scope = choice.choice(scopes)
                scope.begin()
                open_scopes.append((scope, self.clock.now))
            elif open_scopes:
                # The last one of an object, anywhere in the stack.
                scope = choice.choice(open_scopes)[0]
                index = max(i for i, entry in enumerate(open_scopes)
                            if entry[0] is scope)
                begin = open_scopes.pop(index)[1]
                scope.end()
                ended += 1
                expected[scope.name] = (expected.get(scope.name, 0) +
                                        self.clock.now - begin)
        self.clock.advance(1)
        profiler.stop()
        self.clock.advance(1)
        for scope, _ in reversed(open_scopes):
            scope.end()
        rows = profiler.rows()
        self.assertEqual({row.name: row.raw_total_ps + row.recursive_ps
                          for row in rows if row.calls},
                         {name: 1000 * ns for name, ns in expected.items()})
        self.assertEqual(sum(row.calls for row in rows), ended)
        self.assertEqual(sum(row.open for row in rows), len(open_scopes))
        self.assertEqual(profiler.losses, {})


class Tasks(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        self.addCleanup(self.clock.close)

    def record(self, coroutine, **options):
        with mlir_prof.Profiler(**options) as profiler:
            result = asyncio.run(coroutine)
        self.assertEqual(profiler.losses, {})
        return profiler, result

    async def child(self, name, ns):
        with mlir_prof.scope(name):
            self.clock.advance(ns)
            await asyncio.sleep(0)
            with mlir_prof.scope("inner"):
                await asyncio.sleep(0)
                self.clock.advance(ns)
        return mlir_prof.Profiler.current()

    def test_a_generator_that_is_left_early_ends_its_scope(self):
        async def generate():
            with mlir_prof.scope("generate"):
                for number in range(3):
                    yield number

        async def other():
            with mlir_prof.scope("other"):
                pass

        async def main():
            async for _ in generate():
                break
            with mlir_prof.scope("at once"):
                pass
            # The loop closes the generator, in a task of its own.
            for _ in range(3):
                await asyncio.sleep(0)
            with mlir_prof.scope("later"):
                await asyncio.sleep(0)
            await asyncio.create_task(other())
            # As contextlib.aclosing does.
            values = generate()
            async for _ in values:
                break
            await values.aclose()
            with mlir_prof.scope("closed"):
                pass

        with mlir_prof.Profiler() as profiler:
            asyncio.run(main())
        self.assertEqual(name_tree(profiler), {
            "generate": {"at once": {}}, "later": {}, "other": {},
            "closed": {}})
        self.assertEqual({row.name: (row.calls, row.open)
                          for row in profiler.rows()}["generate"], (2, 0))
        self.assertEqual(profiler.losses, {})
        self.assertEqual(_scopes.count_open(), 0)

    def test_a_scope_does_not_run_while_its_task_waits(self):
        async def main():
            with mlir_prof.scope("main"):
                self.clock.advance(1)
                result = await asyncio.gather(self.child("a", 10),
                                              self.child("b", 100))
                self.clock.advance(2)
            return result

        profiler, current = self.record(main())
        self.assertEqual(profiler.get_ns(), {
            "main": 3, "a": 20, "b": 200, "inner": 110})
        self.assertEqual(name_tree(profiler), {
            "main": {"a": {"inner": {}}, "b": {"inner": {}}}})
        self.assertEqual(current, [profiler, profiler])
        self.assertFalse(any(e.is_overlapping for e in profiler.events()))

    def test_tasks_hang_below_their_spawner_also_in_a_scope_of_the_loop(self):
        async def main():
            with mlir_prof.scope("main"):
                self.clock.advance(1)
                await asyncio.gather(self.child("a", 10), self.child("b", 100))

        with mlir_prof.Profiler() as profiler, mlir_prof.scope("around"):
            asyncio.run(main())
            self.clock.advance(1000)
        self.assertEqual(name_tree(profiler), {"around": {"main": {
            "a": {"inner": {}}, "b": {"inner": {}}}}})
        rows = {row.name: row for row in profiler.rows()}
        # The loop runs the tasks.
        self.assertEqual((rows["around"].total_ps, rows["around"].self_ps),
                         (1221000, 1000000))

    def test_a_task_factory_without_patches(self):
        async def main():
            factory = functools.partial(mlir_prof.task_factory)
            asyncio.get_running_loop().set_task_factory(factory)
            with mlir_prof.scope("main"):
                tasks = [asyncio.create_task(self.child("a", 1)),
                         asyncio.create_task(self.child("b", 2))]
                strand = mlir_prof._scopes.Strand(self.wait_for(tasks))
                await strand

        with mlir_prof.Profiler(follow=()) as profiler:
            asyncio.run(main())
        self.assertEqual(name_tree(profiler)["main"]["a"], {"inner": {}})

    async def wait_for(self, tasks):
        for task in tasks:
            await task

    def test_cancelled_and_failing_tasks(self):
        async def fail():
            with mlir_prof.scope("fails"):
                await asyncio.sleep(0)
                raise KeyError("k")

        async def wait():
            with mlir_prof.scope("waits"):
                await asyncio.Event().wait()

        async def main():
            waiting = asyncio.create_task(wait())
            with self.assertRaises(KeyError):
                await asyncio.create_task(fail())
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting

        profiler, _ = self.record(main())
        self.assertEqual({row.name: (row.calls, row.open)
                          for row in profiler.rows()},
                         {"fails": (1, 0), "waits": (1, 0)})

    def test_decorated_coroutines_and_generators(self):
        @mlir_prof.scope("coroutine")
        async def coroutine():
            self.clock.advance(1)
            await asyncio.sleep(0)
            return 5

        @mlir_prof.scope("generator")
        def generator():
            for value in range(3):
                self.clock.advance(10)
                yield value
            return 7

        @mlir_prof.scope("async generator")
        async def async_generator():
            for value in range(2):
                self.clock.advance(100)
                yield value

        async def main():
            self.assertTrue(inspect.iscoroutinefunction(coroutine))
            self.assertEqual(await coroutine(), 5)
            values = []
            for value in generator():
                with mlir_prof.scope("consumer"):
                    self.clock.advance(1000)
                values.append(value)
            async for value in async_generator():
                self.clock.advance(10000)
                values.append(value)
            return values

        profiler, values = self.record(main())
        self.assertEqual(values, [0, 1, 2, 0, 1])
        self.assertEqual(profiler.get_ns(), {
            "coroutine": 1, "generator": 30, "async generator": 200,
            "consumer": 3000})
        self.assertEqual({row.calls for row in profiler.rows()
                          if row.name != "consumer"}, {1})

    def test_a_generator_that_is_given_up(self):
        @mlir_prof.scope("generator")
        def generator():
            try:
                while True:
                    sent = yield
                    self.assertEqual(sent, 4)
            except ValueError:
                yield "caught"

        with mlir_prof.Profiler() as profiler:
            one = generator()
            next(one)
            one.send(4)
            self.assertEqual(one.throw(ValueError("v")), "caught")
            del one
            two = generator()
            next(two)
            two.close()
            gc.collect()
        row, = profiler.rows()
        self.assertEqual((row.calls, row.open), (2, 0))
        self.assertEqual(profiler.losses, {})

    def test_thread_pools(self):
        def work(value):
            with mlir_prof.scope("work"):
                return value

        async def main():
            with mlir_prof.scope("async"):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(None, work, 3)

        with mlir_prof.Profiler() as profiler:
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                with mlir_prof.scope("spawner"):
                    self.assertEqual(list(pool.map(work, range(5))),
                                     list(range(5)))
            self.assertEqual(asyncio.run(main()), 3)
        self.assertEqual(name_tree(profiler), {
            "spawner": {"work": {}}, "async": {"work": {}}})
        rows = profiler.rows("path")
        self.assertEqual([row.calls for row in rows if row.name == "work"],
                         [5, 1])

    def test_bound_functions_and_threads(self):
        def work():
            with mlir_prof.scope("work"):
                pass

        submit = concurrent.futures.ThreadPoolExecutor.__dict__["submit"]
        with mlir_prof.Profiler(follow=["threads"]) as profiler:
            with mlir_prof.scope("bound"):
                bound = mlir_prof.bind(work)
            bound()
            with mlir_prof.scope("thread"):
                thread = threading.Thread(target=work)
                thread.start()
                thread.join()
        self.assertEqual(name_tree(profiler), {
            "bound": {"work": {}}, "thread": {"work": {}}})
        self.assertIs(concurrent.futures.ThreadPoolExecutor.__dict__["submit"],
                      submit)

    def test_patches_end_with_the_last_profiler(self):
        loop = asyncio.base_events.BaseEventLoop
        before = loop.__dict__["create_task"]
        first, second = mlir_prof.Profiler(), mlir_prof.Profiler()
        first.start()
        second.start()
        first.stop()
        self.assertIsNot(loop.__dict__["create_task"], before)
        second.stop()
        self.assertIs(loop.__dict__["create_task"], before)
        with self.assertRaisesRegex(ValueError, "'fibers'"):
            mlir_prof.follow("fibers")


def work_in_process(value):
    with mlir_prof.scope("in process"):
        if value == 2:
            raise KeyError(value)
        return value


class Counts(unittest.TestCase):
    #: The names of what scopes count, and the rest of a row is before.
    NAMES = mlir_prof.Row._fields[mlir_prof.Row._fields.index("allocations"):]

    def get_amounts(self, profiler, name):
        row, = [row for row in profiler.rows() if row.name == name]
        return {amount: getattr(row, amount) for amount in self.NAMES}

    def test_rows_have_what_was_asked_for(self):
        self.assertEqual(len(self.NAMES), 9)
        with mlir_prof.Profiler() as profiler, mlir_prof.scope("a"):
            pass
        self.assertEqual(set(self.get_amounts(profiler, "a").values()), {None})
        with mlir_prof.Profiler(events=False, statistics=True) as profiler, \
                mlir_prof.scope("a"):
            pass
        self.assertEqual(set(self.get_amounts(profiler, "a").values()), {None})

    def test_allocations(self):
        library = ctypes.CDLL(COPIES[1])
        library.runInCopy(ctypes.CFUNCTYPE(None)(lambda: None))
        allocated = library.prof_scope_allocated
        allocated.argtypes, allocated.restype = [ctypes.c_size_t], None
        allocated(1)
        with mlir_prof.Profiler(count=["allocations"]) as profiler:
            for size in (10, 200):
                with mlir_prof.scope("outer"):
                    allocated(size)
                    with mlir_prof.scope("inner"):
                        allocated(3000)
        self.assertEqual(self.get_amounts(profiler, "outer"), dict(
            dict.fromkeys(self.NAMES), allocations=4, allocated_bytes=6210))
        self.assertEqual(self.get_amounts(profiler, "inner"), dict(
            dict.fromkeys(self.NAMES), allocations=2, allocated_bytes=6000))

    def test_processor_time(self):
        with mlir_prof.Profiler(count=["cpu_time"]) as profiler:
            before = time.thread_time_ns()
            with mlir_prof.scope("busy"):
                begin = time.thread_time_ns()
                while time.thread_time_ns() < begin + 20_000_000:
                    pass
            after = time.thread_time_ns()
        amounts = self.get_amounts(profiler, "busy")
        # Less what recording took, which is far less than the loop.
        self.assertGreater(amounts["cpu_time_ns"], 15_000_000)
        self.assertLessEqual(amounts["cpu_time_ns"], after - before)
        self.assertIsNone(amounts["allocations"])


class Processes(unittest.TestCase):
    def test_process_pools(self):
        context = multiprocessing.get_context("fork")
        with mlir_prof.Profiler(follow=["processes"]) as profiler:
            with concurrent.futures.ProcessPoolExecutor(
                    2, mp_context=context) as pool:
                futures = [pool.submit(work_in_process, i) for i in range(4)]
                self.assertEqual([futures[i].result() for i in (0, 1, 3)],
                                 [0, 1, 3])
                with self.assertRaises(KeyError) as raised:
                    futures[2].result()
                self.assertIn("work_in_process", str(raised.exception.__cause__))
        self.assertEqual(sum(row.calls for row in profiler.rows()), 4)
        processes = {thread.process for thread in profiler.threads()}
        self.assertTrue(processes - {os.getpid()})
        # Each recording is a file, whose threads rows name apart.
        self.check_files(profiler)
        threads = profiler.threads()
        rows = profiler.rows(merge_threads=False)
        self.assertEqual({threads[row.thread].process for row in rows},
                         processes - {os.getpid()})

    def check_files(self, profiler):
        with tempfile.TemporaryDirectory() as folder:
            read = [_scopes.Recording.from_bytes(path.read_bytes())
                    for path in profiler.write(folder)]
        self.assertEqual(_scopes.Recording.join(read).events(),
                         [tuple(event) for event in profiler.events()])

    def test_recordings_of_workers_belong_to_windows(self):
        context = multiprocessing.get_context("fork")
        windows = []
        with concurrent.futures.ProcessPoolExecutor(
                1, mp_context=context) as pool:
            with mlir_prof.Profiler(
                    schedule=lambda step: mlir_prof.State(3 * (step != 1)),
                    on_trace_ready=lambda profiler: windows.append(
                        (len(profiler.streams), profiler.get().keys())),
                    steps=False, follow=["processes"]) as profiler:
                for number in (0, 1, 3):
                    pool.submit(work_in_process, number).result()
                    profiler.step()
                pool.submit(abs, -1).result()
        self.assertEqual([count for count, _ in windows], [2, 2, 1])
        profiler.reset()
        self.assertEqual(profiler.streams, profiler.streams[:1])

    def test_a_fork_records_from_zero(self):
        with mlir_prof.Profiler() as profiler, mlir_prof.scope("before"):
            with mlir_prof.scope("parent"):
                pass
            reader, writer = os.pipe()
            child = os.fork()
            if not child:
                status = 1
                try:
                    with mlir_prof.scope("child"):
                        pass
                    names = [event.name for event in profiler.events()]
                    os.write(writer, repr(names).encode())
                    status = 0
                finally:
                    os._exit(status)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        os.close(writer)
        with os.fdopen(reader) as file:
            self.assertEqual(file.read(), "['child', 'before']")
        self.assertEqual(set(profiler.get()), {"parent", "before"})

    def test_fork_storms(self):
        """Children of threads that record."""
        result = run_python("""
            import os, threading, mlir_prof
            done = threading.Event()
            def work():
                while not done.is_set():
                    with mlir_prof.scope("work"):
                        pass
            with mlir_prof.Profiler(ring=1024) as profiler:
                threads = [threading.Thread(target=work) for _ in range(3)]
                for thread in threads: thread.start()
                for round in range(40):
                    child = os.fork()
                    if not child:
                        with mlir_prof.scope("child"): pass
                        assert "child" in profiler.get()
                        os._exit(0)
                    assert os.waitpid(child, 0)[1] == 0
                done.set()
                for thread in threads: thread.join()
            assert profiler.get()["work"] > 0
            print("fine")
        """)
        self.assertEqual(result, "fine\n")

    def test_multiprocessing(self):
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            with context.Pool(1) as pool, mlir_prof.Profiler():
                self.assertEqual(pool.map(work_in_process, [0, 1]), [0, 1])

    def test_the_interpreter_ends_with_open_scopes(self):
        for ending in ("", "raise SystemExit", "import os; os._exit(0)",
                       "import threading, time\n"
                       "threading.Thread(target=mlir_prof.begin, args=['t'],"
                       " daemon=True).start()"):
            output = run_python(f"""
                import mlir_prof
                profiler = mlir_prof.Profiler()
                profiler.start()
                mlir_prof.begin("open")
                mlir_prof.scope("open").begin()
                print("fine", flush=True)
            """, ending)
            self.assertEqual(output, "fine\n")

    def test_it_is_imported_in_a_thread(self):
        output = run_python("""
            import threading
            def work():
                import mlir_prof
                with mlir_prof.Profiler() as profiler, mlir_prof.scope("x"):
                    pass
                print(list(profiler.get()))
            thread = threading.Thread(target=work)
            thread.start(); thread.join()
            import mlir_prof
            with mlir_prof.scope("y"): pass
        """)
        self.assertEqual(output, "['x']\n")

    def test_the_package_works_without_the_extension(self):
        output = run_python("""
            import sys
            sys.modules["mlir_prof._scopes"] = None
            import mlir_prof, mlir_prof.capture
            print(mlir_prof.capture.jax.__name__)
            try:
                mlir_prof.scope
            except ImportError as error:
                print(error)
            try:
                mlir_prof.nothing
            except AttributeError as error:
                print(error)
        """)
        self.assertRegex(output, r"(?s)jax\nmlir_prof.scope needs the extension.*"
                         r"hint: .*pip install .*mlirprof_python.*nothing")

    def test_subinterpreters_are_refused(self):
        output = run_python("""
            import mlir_prof
            try:
                import _xxsubinterpreters as interpreters
            except ImportError:
                import _interpreters as interpreters
            other = interpreters.create()
            failed = None
            try:
                failed = interpreters.run_string(other,
                    "import sys; sys.path[:] = " + repr(__import__("sys").path) +
                    "\\nimport mlir_prof._scopes")
            except Exception as error:
                failed = error
            assert failed is not None
            print("refused")
        """)
        self.assertEqual(output, "refused\n")


class Copies(unittest.TestCase):
    """Libraries with another copy of the runtime, loaded before the extension
    and after it."""

    def check(self, path, order):
        output = run_python(f"""
            import ctypes
            def load():
                return ctypes.CDLL({path!r})
            order = {order!r}
            library = load() if order == "before" else None
            import mlir_prof
            library = library or load()
            callback = ctypes.CFUNCTYPE(None)
            def inside():
                with mlir_prof.scope("python"):
                    pass
            with mlir_prof.Profiler() as profiler:
                with mlir_prof.scope("around"):
                    library.runInCopy(callback(inside))
            library.runInCopy(callback(inside))
            events = profiler.events()
            for event in events:
                print(event.name, event.parent is not None and
                      events[event.parent].name)
            print(profiler.losses, library.countSessionsInCopy())
        """)
        self.assertEqual(output, "python copy\ncopy around\naround False\n{} 0\n")

    def test_copies_record_together(self):
        self.assertEqual(len(COPIES), 2)
        for path in COPIES:
            for order in ("before", "after"):
                with self.subTest(path=path, order=order):
                    self.check(path, order)


class Tracing(unittest.TestCase):
    def test_calls_of_functions_are_scopes(self):
        def leaf():
            return 1

        def raises():
            raise KeyError

        def generator():
            yield leaf()
            yield leaf()

        def work():
            leaf()
            with mlir_prof.scope("scope"):
                leaf()
            try:
                raises()
            except KeyError:
                pass
            return list(generator())

        with mlir_prof.Profiler(python_tracer_level=1) as profiler:
            self.assertEqual(work(), [1, 1])
            thread = threading.Thread(target=leaf)
            thread.start()
            thread.join()
        leaf()
        rows = {row.name.split(".")[-1]: row for row in profiler.rows()}
        self.assertEqual({name: rows[name].calls for name in (
            "leaf", "raises", "work", "scope")},
            {"leaf": 5, "raises": 1, "work": 1, "scope": 1})
        # Each resumption is a call; the last one finds the end.
        self.assertEqual(rows["generator"].calls, 3)
        self.assertEqual(rows["leaf"].type, mlir_prof.Type.PythonOp)
        self.assertEqual(profiler.losses, {})
        own = [row.name for row in profiler.rows()
               if row.name.split(".")[-1] in ("stop", "_end_run", "_close_window")]
        self.assertEqual(own, [])
        tree = name_tree(profiler)
        root, = (name for name in tree if name.endswith("work"))
        self.assertIn("scope", tree[root])

    def test_tracing_stops_in_other_threads(self):
        go, done = threading.Event(), threading.Event()

        def work():
            textwrap.dedent("x")
            done.set()
            go.wait()
            textwrap.dedent("x")

        with mlir_prof.Profiler(python_tracer_level=1):
            thread = threading.Thread(target=work)
            thread.start()
            done.wait()
        with mlir_prof.Profiler() as profiler:
            go.set()
            thread.join()
        self.assertEqual(profiler.rows(), [])

    def take_hooks(self):
        """Takes what the interpreter lends to profilers; a function gives it
        back."""
        if not hasattr(sys, "monitoring"):
            sys.setprofile(lambda *unused: None)
            return lambda: sys.setprofile(None)
        taken = [number for number in range(6)
                 if sys.monitoring.get_tool(number) is None]
        for number in taken:
            sys.monitoring.use_tool_id(number, "another")

        def give_back():
            for number in taken:
                sys.monitoring.free_tool_id(number)
        return give_back

    def test_another_profiler_is_told(self):
        give_back = self.take_hooks()
        try:
            profiler = mlir_prof.Profiler(python_tracer_level=1)
            with self.assertRaisesRegex(RuntimeError, "cannot be recorded"):
                profiler.start()
        finally:
            give_back()
        self.assertFalse(profiler.is_running)
        self.assertEqual(_scopes.count_sessions(), 0)
        # Nothing is followed that was not before.
        self.assertEqual(_tasks._PATCHES["asyncio"].users, 0)

    def test_calls_of_the_profiler_are_left_out(self):
        def work():
            return 1

        with mlir_prof.Profiler(python_tracer_level=1):
            pass
        with mlir_prof.Profiler(python_tracer_level=1,
                                follow=("asyncio", "executors", "threads",
                                        "processes")) as profiler:
            with mlir_prof.Profiler():
                work()
        self.assertEqual([row.name.split(".")[-1] for row in profiler.rows()],
                         ["work"])

    def test_tracing_stops(self):
        for _ in range(3):
            with mlir_prof.Profiler(python_tracer_level=1):
                pass
        self.assertIsNone(sys.getprofile())
        with mlir_prof.Profiler() as profiler:
            textwrap.dedent("x")
        self.assertEqual(profiler.rows(), [])


if __name__ == "__main__":
    unittest.main()
