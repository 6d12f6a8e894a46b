// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.AbstractLongType;
import com.facebook.presto.common.type.CharType;
import com.facebook.presto.common.type.DateTimeEncoding;
import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.Decimals;
import com.facebook.presto.common.type.TimeZoneKey;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeSignature;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.expressions.RowExpressionNodeInliner;
import com.facebook.presto.metadata.CastType;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.ExpressionOptimizer.Level;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.spi.security.ConnectorIdentity;
import com.facebook.presto.sql.relational.FunctionResolution;
import com.facebook.presto.sql.relational.RowExpressionDomainTranslator;
import com.facebook.presto.sql.relational.RowExpressionOptimizer;
import com.facebook.presto.testing.TestingConnectorSession;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import static com.facebook.presto.common.function.OperatorType.BETWEEN;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.IS_DISTINCT_FROM;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.NOT_EQUAL;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.RealType.REAL;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.TimestampWithTimeZoneType.TIMESTAMP_WITH_TIME_ZONE;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IS_NULL;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.OR;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static com.facebook.presto.testing.TestingConnectorSession.SESSION;
import static io.airlift.slice.Slices.utf8Slice;
import static io.eyrie.fragment.TestingLeaves.FUNCTIONS;
import static io.eyrie.fragment.TestingLeaves.METADATA;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.variable;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

final class SplitPredicateTest
{
    private static final SplitPredicate.Factory PREDICATES = new SplitPredicate.Factory(
            new RowExpressionDomainTranslator(METADATA),
            new FunctionResolution(FUNCTIONS.getFunctionAndTypeResolver()),
            session -> new RowExpressionOptimizer(METADATA),
            failure -> {
                throw new AssertionError(failure);
            });
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final RowExpression POSITIVE = compare(GREATER_THAN, A, constant(0L, BIGINT));

    @Test
    void noOverlapMeansNoRows()
    {
        assertThat(judge(POSITIVE, range(-5, 0, 0))).isEqualTo(new SplitPredicate.Verdict(true, List.of()));
    }

    @Test
    void containedPredicateIsLeftOut()
    {
        assertThat(judge(POSITIVE, range(1, 9, 0))).isEqualTo(new SplitPredicate.Verdict(false, List.of()));
    }

    @Test
    void conjunctOfOneColumnTellsWhich()
    {
        RowExpression ofTwo = compare(GREATER_THAN, A, variable("b", BIGINT));
        SplitPredicate predicate = PREDICATES.of(List.of(POSITIVE, ofTwo), SESSION);
        assertThat(predicate.column(POSITIVE)).contains(A);
        assertThat(predicate.column(ofTwo)).isEmpty();
        assertThat(predicate.column(compare(LESS_THAN, A, constant(0L, BIGINT)))).as("of another leaf").isEmpty();
    }

    /* The plan of time > now() - INTERVAL '3' DAY: the column is cast, the constant has a zone. */
    @Test
    void momentsWithAZoneAreHeldAgainstTimestamps()
    {
        VariableReferenceExpression time = variable("time", TIMESTAMP);
        RowExpression cast = new CallExpression("CAST", FUNCTIONS.lookupCast(CastType.CAST, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE),
                TIMESTAMP_WITH_TIME_ZONE, List.of(time));
        RowExpression moment = constant(DateTimeEncoding.packDateTimeWithZone(1000, TimeZoneKey.getTimeZoneKey("Asia/Tokyo")),
                TIMESTAMP_WITH_TIME_ZONE);
        RowExpression later = compare(GREATER_THAN, cast, moment);
        assertThat(judgeTimes(later, 1001, 2000)).isEqualTo(new SplitPredicate.Verdict(false, List.of()));
        assertThat(judgeTimes(later, 500, 1000).none()).isTrue();
        assertThat(judgeTimes(later, 1000, 2000).remaining()).containsExactly(later);
        RowExpression turned = compare(GREATER_THAN, moment, cast);
        assertThat(judgeTimes(turned, 500, 999)).isEqualTo(new SplitPredicate.Verdict(false, List.of()));
        assertThat(judgeTimes(turned, 1000, 2000).none()).isTrue();
        RowExpression between = operator(BETWEEN, BOOLEAN, cast, moment, constant(DateTimeEncoding.packDateTimeWithZone(3000, TimeZoneKey.UTC_KEY),
                TIMESTAMP_WITH_TIME_ZONE));
        assertThat(judgeTimes(between, 1000, 3000)).isEqualTo(new SplitPredicate.Verdict(false, List.of()));
        assertThat(judgeTimes(between, 3001, 4000).none()).isTrue();
        // local times are not moments
        assertThat(PREDICATES.of(List.of(later), session(TimeZoneKey.UTC_KEY, false)).columns()).isEmpty();
    }

    private static SplitPredicate.Verdict judgeTimes(RowExpression conjunct, long min, long max)
    {
        Domain times = ColumnDomains.of(TIMESTAMP, Optional.of(min), Optional.of(max), OptionalLong.of(0), OptionalLong.of(10));
        return PREDICATES.of(List.of(conjunct), SESSION).judge(column -> Optional.of(times));
    }

    private static ConnectorSession session(TimeZoneKey zone, boolean legacyTimestamps)
    {
        return new TestingConnectorSession(
                "someone", new ConnectorIdentity("someone", Optional.empty(), Optional.empty()), Optional.empty(), Optional.empty(), zone,
                Locale.ROOT, 0,
                List.of(), Map.of(), legacyTimestamps, Optional.empty(), Set.of(), Optional.empty(), Map.of());
    }

    /* In zones that skip midnights or whole days, or have unusual offsets, a proof about a day must agree with the engine's answer for it. */
    @Property(tries = 300)
    void momentsAreHeldAgainstDates(
            @ForAll @IntRange(min = -60_000, max = 30_000) int day,
            @ForAll @LongRange(min = -200_000_000, max = 200_000_000) long off,
            @ForAll boolean atTheBeginning,
            @ForAll boolean zoned,
            @ForAll boolean legacy,
            @ForAll @IntRange(max = 6) int form,
            @ForAll @IntRange(max = 4) int zone)
    {
        TimeZoneKey key = TimeZoneKey.getTimeZoneKey(List.of("UTC", "Pacific/Apia", "America/Sao_Paulo", "Asia/Kathmandu", "Europe/Vienna").get(
                zone));
        // the day that Samoa skipped, and one on which São Paulo had no midnight
        int about = Math.floorMod(day, 5) == 0 ? 15_338 : Math.floorMod(day, 5) == 1 ? 17_454 : day;
        ConnectorSession session = session(key, legacy);
        Type type = zoned ? TIMESTAMP_WITH_TIME_ZONE : TIMESTAMP;
        VariableReferenceExpression date = variable("date", DATE);
        CallExpression cast = new CallExpression("CAST", FUNCTIONS.lookupCast(CastType.CAST, DATE, type), type, List.of(date));
        RowExpressionOptimizer engine = new RowExpressionOptimizer(METADATA);
        long begin = millis(engine.optimize(on(cast, about), Level.OPTIMIZED, session));
        RowExpression moment = moment(begin + (atTheBeginning ? 0 : off), key, type);
        RowExpression conjunct = switch (form) {
            case 0 -> operator(BETWEEN, BOOLEAN, cast, moment, moment(begin + Math.max(0, off), key, type));
            case 1 -> compare(GREATER_THAN, moment, cast);
            case 2 -> compare(LESS_THAN_OR_EQUAL, moment, cast);
            case 3 -> compare(EQUAL, cast, moment);
            case 4 -> compare(GREATER_THAN_OR_EQUAL, cast, moment);
            case 5 -> compare(LESS_THAN, cast, moment);
            default -> compare(GREATER_THAN, cast, moment);
        };
        for (long each = about - 4L; each <= about + 4L; each++) {
            Domain held = Domain.singleValue(DATE, each);
            SplitPredicate.Verdict verdict = PREDICATES.of(List.of(conjunct), session).judge(column -> Optional.of(held));
            boolean holds = engine.optimize(on(conjunct, each), Level.OPTIMIZED, session).equals(constant(true, BOOLEAN));
            assertThat(verdict.none() ? "none" : verdict.remaining().isEmpty() ? "all" : "asked").as("%s on day %s in %s", conjunct, each, key)
                    .isIn(holds ? "all" : "none", noDayBegins(conjunct, about, session, engine) ? "asked" : "");
        }
    }

    /* Returns whether no nearby day satisfies the conjunct, such as equality with a moment at which no day begins. No range can express that. */
    private static boolean noDayBegins(RowExpression conjunct, int about, ConnectorSession session, RowExpressionOptimizer engine)
    {
        return LongStream.rangeClosed(about - 4L, about + 4L).noneMatch(day -> engine.optimize(on(conjunct, day), Level.OPTIMIZED, session).equals(
                constant(
                        true, BOOLEAN)));
    }

    private static RowExpression on(RowExpression expression, long day)
    {
        return RowExpressionNodeInliner.replaceExpression(expression, Map.of(variable("date", DATE), constant(day, DATE)));
    }

    private static long millis(RowExpression moment)
    {
        long value = (long) requireNonNull(((ConstantExpression) moment).getValue());
        return moment.getType().equals(TIMESTAMP) ? value : DateTimeEncoding.unpackMillisUtc(value);
    }

    private static RowExpression moment(long millis, TimeZoneKey zone, Type type)
    {
        return constant(type.equals(TIMESTAMP) ? millis : DateTimeEncoding.packDateTimeWithZone(millis, zone), type);
    }

    @Test
    void overlapKeepsThePredicate()
    {
        assertThat(judge(POSITIVE, range(0, 9, 0)).remaining()).containsExactly(POSITIVE);
    }

    @Test
    void nullsUnderAContainedRangeKeepThePredicate()
    {
        assertThat(judge(POSITIVE, range(1, 9, 1)).remaining()).containsExactly(POSITIVE);
        Domain unknownNulls = ColumnDomains.of(BIGINT, Optional.of(1L), Optional.of(9L), OptionalLong.empty(), OptionalLong.of(10));
        assertThat(judge(POSITIVE, unknownNulls).remaining()).containsExactly(POSITIVE);
    }

    @Test
    void nullsAloneSatisfyNothingButIsNull()
    {
        Domain nulls = ColumnDomains.of(BIGINT, Optional.empty(), Optional.empty(), OptionalLong.of(7), OptionalLong.of(7));
        assertThat(judge(POSITIVE, nulls).none()).isTrue();
        assertThat(judge(specialForm(IS_NULL, BOOLEAN, A), nulls)).isEqualTo(new SplitPredicate.Verdict(false, List.of()));
    }

    @Test
    void nothingIsProvedOfFloatingPointColumns()
    {
        for (Type type : List.of(DOUBLE, REAL)) {
            VariableReferenceExpression column = variable("f", type);
            Object one = type == DOUBLE ? (Object) 1.0 : (Object) (long) Float.floatToIntBits(1);
            RowExpression less = compare(LESS_THAN, column, constant(one, type));
            // statistics do not include NaN
            assertThat(PREDICATES.of(List.of(less), SESSION).columns()).isEmpty();
            assertThat(ColumnDomains.of(type, Optional.of(one), Optional.of(one), OptionalLong.of(0), OptionalLong.of(3)).getValues().isAll())
                    .isTrue();
        }
    }

    @Test
    void unknownColumnsKeepTheirPredicates()
    {
        assertThat(predicate(POSITIVE).judge(column -> Optional.empty()).remaining()).containsExactly(POSITIVE);
    }

    @Test
    void whatSaysMoreThanValuesOfOneColumnIsKept()
    {
        VariableReferenceExpression b = variable("b", BIGINT);
        RowExpression absolute = compare(EQUAL, call("abs", BIGINT, A), constant(3L, BIGINT));
        RowExpression either = specialForm(OR, BOOLEAN, POSITIVE, compare(GREATER_THAN, b, constant(0L, BIGINT)));
        assertThat(judge(absolute, range(3, 3, 0)).remaining()).containsExactly(absolute);
        assertThat(judge(either, range(1, 9, 0)).remaining()).containsExactly(either);
    }

    @Test
    void textIsProvedByItsBounds()
    {
        VariableReferenceExpression day = variable("ds", VARCHAR);
        RowExpression since = compare(GREATER_THAN, day, constant(utf8Slice("2021-01-01"), VARCHAR));
        Domain known = ColumnDomains.of(VARCHAR, Optional.of(utf8Slice("2021-01-02")), Optional.of(utf8Slice("2021-01-03")), OptionalLong.of(0),
                OptionalLong.empty());
        assertThat(predicate(since).judge(column -> Optional.of(known)).remaining()).isEmpty();
    }

    @Test
    void oneSidedBoundsAreBounds()
    {
        assertThat(judge(POSITIVE, ColumnDomains.of(BIGINT, Optional.of(1L), Optional.empty(), OptionalLong.of(0), OptionalLong.empty())).remaining())
                .isEmpty();
        assertThat(judge(POSITIVE, ColumnDomains.of(BIGINT, Optional.empty(), Optional.of(0L), OptionalLong.of(3), OptionalLong.empty())).none())
                .isTrue();
        assertThat(ColumnDomains.of(BIGINT, Optional.empty(), Optional.empty(), OptionalLong.of(0), OptionalLong.of(0)).isNone()).isTrue();
    }

    /* The engine compares a varchar with a varchar(3) directly; it casts other types. */
    @Property
    void noComparisonOfAnyTypeFails(
            @ForAll @IntRange(max = 6) int column,
            @ForAll @IntRange(max = 6) int other,
            @ForAll @IntRange(max = 6) int operator,
            @ForAll boolean negated,
            @ForAll boolean nothing)
    {
        List<Type> types = List.of(VARCHAR, VarcharType.createVarcharType(3), VarcharType.createVarcharType(10), CharType.createCharType(3),
                DecimalType.createDecimalType(5, 2), DecimalType.createDecimalType(38, 2), TIMESTAMP);
        List<@Nullable Object> values = Arrays.asList(
                utf8Slice("abc"), utf8Slice("abc"), utf8Slice("abc"), utf8Slice("abc"), 123L, Decimals.encodeUnscaledValue(123), 1000L);
        Type type = types.get(column);
        boolean alike = type instanceof VarcharType && types.get(other) instanceof VarcharType;
        int constant = alike ? other : column;
        VariableReferenceExpression variable = variable("c", type);
        RowExpression compared = compare(
                List.of(EQUAL, NOT_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL, IS_DISTINCT_FROM).get(operator),
                variable,
                constant(nothing ? null : values.get(constant), types.get(constant)));
        RowExpression conjunct = negated ? call("not", BOOLEAN, compared) : compared;
        boolean same = !nothing && operator != 1 && operator != 2 && operator != 4 && operator != 6;
        Object value = requireNonNull(values.get(column));
        assertThat(predicate(conjunct).judge(any -> Optional.of(Domain.all(type)))).satisfiesAnyOf(
                verdict -> assertThat(verdict.remaining()).containsExactly(conjunct),
                verdict -> assertThat(nothing).as("proved of no statistics").isTrue());
        SplitPredicate.Verdict known = predicate(conjunct).judge(any -> Optional.of(Domain.singleValue(type, value)));
        assertThat(known.none() ? "none" : known.remaining().isEmpty() ? "all" : "asked").isIn("asked", nothing ? "none" : "", nothing
                && operator == 6
                && !negated ? "all" : "", nothing ? "" : same == negated ? "none" : "all");
        // nothing is known from statistics of another type
        assertThat(predicate(conjunct).judge(any -> Optional.of(Domain.singleValue(BIGINT, 7L))).remaining()).isIn(List.of(conjunct), List.of());
    }

    @Test
    void textOfAnotherLengthIsComparedAndNotProved()
    {
        VariableReferenceExpression text = variable("c", VARCHAR);
        RowExpression same = call("not", BOOLEAN, compare(IS_DISTINCT_FROM, text, constant(utf8Slice("abc"), VarcharType.createVarcharType(3))));
        for (Domain known : List.of(Domain.all(VARCHAR), Domain.singleValue(VARCHAR, utf8Slice("abc")), Domain.onlyNull(VARCHAR))) {
            assertThat(predicate(same).judge(any -> Optional.of(known)).remaining()).containsExactly(same);
        }
    }

    @Test
    void failureProvesNothing()
    {
        List<RuntimeException> failures = new ArrayList<>();
        SplitPredicate.Factory factory = new SplitPredicate.Factory(PREDICATES.translator(), PREDICATES.functions(), PREDICATES.evaluators(),
                failures::add);
        IllegalStateException failure = new IllegalStateException("statistics");
        SplitPredicate.Verdict verdict = factory.of(List.of(POSITIVE), SESSION).judge(any -> {
            throw failure;
        });
        assertThat(verdict).isEqualTo(new SplitPredicate.Verdict(false, List.of(POSITIVE)));
        assertThat(failures).containsExactly(failure);
        SplitPredicate.Factory broken = new SplitPredicate.Factory(
                (DomainTranslator) Proxy.newProxyInstance(
                        SplitPredicateTest.class.getClassLoader(),
                        new Class<?>[] {DomainTranslator.class},
                        (proxy, method, arguments) -> {
                            throw failure;
                        }),
                PREDICATES.functions(),
                PREDICATES.evaluators(),
                failures::add);
        assertThat(broken.of(List.of(POSITIVE), SESSION).columns()).isEmpty();
        assertThat(failures).hasSize(2);
    }

    /** Compares the proofs from statistics with a brute-force evaluation of the rows. */
    @Property(tries = 3000)
    void verdictsHoldForEveryRow(@ForAll long seed)
    {
        Random random = new Random(seed);
        List<Optional<Long>> rows = new ArrayList<>();
        int spread = 1 + random.nextInt(6);
        for (int i = random.nextInt(6); i > 0; i--) {
            rows.add(random.nextInt(4) == 0 ? Optional.empty() : Optional.of((long) random.nextInt(spread)));
        }
        List<RowExpression> conjuncts = new ArrayList<>();
        List<Predicate<Optional<Long>>> meanings = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            add(random, conjuncts, meanings);
        }
        Optional<Object> min = rows.stream().flatMap(Optional::stream).min(Long::compare).map(Object.class::cast);
        Optional<Object> max = rows.stream().flatMap(Optional::stream).max(Long::compare).map(Object.class::cast);
        long nulls = rows.stream().filter(Optional::isEmpty).count();
        OptionalLong told = random.nextInt(4) == 0 ? OptionalLong.empty() : OptionalLong.of(nulls);
        Domain known = ColumnDomains.of(BIGINT, min, max, told, OptionalLong.of(rows.size()));
        SplitPredicate.Verdict verdict = PREDICATES.of(conjuncts, SESSION).judge(column -> Optional
                .of(known));
        for (Optional<Long> row : rows) {
            boolean kept = meanings.stream().allMatch(meaning -> meaning.test(row));
            boolean left = !verdict.none() && verdict.remaining().stream().allMatch(conjunct -> meanings.get(conjuncts.indexOf(conjunct)).test(row));
            assertThat(left).isEqualTo(kept);
        }
    }

    @Test
    void longListIsSearched()
    {
        CountingType type = new CountingType();
        Domain accepted = Domain.multipleValues(type, LongStream.range(0, 10_000).mapToObj(value -> 2 * value).toList());
        SplitPredicate predicate = accepting(variable("a", type), accepted);
        type.comparisons = 0;
        for (long value = 1; value < 20_000; value += 199) {
            Domain known = ColumnDomains.of(type, Optional.of(value), Optional.of(value + 2000), OptionalLong.of(0), OptionalLong.of(9));
            assertThat(predicate.judge(column -> Optional.of(known)).remaining()).hasSize(value < 19_998 ? 1 : 0);
        }
        assertThat(type.comparisons).isLessThan(101L * 50);
    }

    /* A predicate of one conjunct that is true for these values of the column. */
    private static SplitPredicate accepting(VariableReferenceExpression column, Domain accepted)
    {
        DomainTranslator.ExtractionResult<VariableReferenceExpression> extracted = new DomainTranslator.ExtractionResult<>(
                TupleDomain.withColumnDomains(Map.of(column, accepted)), LogicalRowExpressions.TRUE_CONSTANT);
        SplitPredicate.Factory factory = new SplitPredicate.Factory(
                (DomainTranslator) Proxy.newProxyInstance(
                        SplitPredicateTest.class.getClassLoader(),
                        new Class<?>[] {DomainTranslator.class},
                        (proxy, method, arguments) -> extracted),
                PREDICATES.functions(),
                PREDICATES.evaluators(),
                PREDICATES.failures());
        return factory.of(List.of(POSITIVE), SESSION);
    }

    private static final class CountingType
            extends AbstractLongType
    {
        private long comparisons;

        CountingType()
        {
            super(TypeSignature.parseTypeSignature("counting"));
        }

        @Override
        public Object getObjectValue(SqlFunctionProperties properties, Block block, int position)
        {
            return getLong(block, position);
        }

        @Override
        public int compareTo(Block left, int leftPosition, Block right, int rightPosition)
        {
            comparisons++;
            return super.compareTo(left, leftPosition, right, rightPosition);
        }
    }

    private static void add(Random random, List<RowExpression> conjuncts, List<Predicate<Optional<Long>>> meanings)
    {
        long value = random.nextInt(7) - 1L;
        RowExpression constant = constant(value, BIGINT);
        switch (random.nextInt(5)) {
            case 0 -> {
                conjuncts.add(compare(GREATER_THAN, A, constant));
                meanings.add(row -> row.filter(number -> number > value).isPresent());
            }
            case 1 -> {
                conjuncts.add(compare(LESS_THAN, A, constant));
                meanings.add(row -> row.filter(number -> number < value).isPresent());
            }
            case 2 -> {
                conjuncts.add(specialForm(IN, BOOLEAN, A, constant, constant(value + 1, BIGINT)));
                meanings.add(row -> row.filter(number -> number == value || number == value + 1).isPresent());
            }
            case 3 -> {
                conjuncts.add(specialForm(IS_NULL, BOOLEAN, A));
                meanings.add(Optional::isEmpty);
            }
            default -> {
                conjuncts.add(specialForm(OR, BOOLEAN, specialForm(IS_NULL, BOOLEAN, A), compare(EQUAL, A, constant)));
                meanings.add(row -> row.isEmpty() || row.get() == value);
            }
        }
    }

    private static Domain range(long min, long max, long nulls)
    {
        return ColumnDomains.of(BIGINT, Optional.of(min), Optional.of(max), OptionalLong.of(nulls), OptionalLong.of(100));
    }

    private static SplitPredicate predicate(RowExpression conjunct)
    {
        return PREDICATES.of(List.of(conjunct), SESSION);
    }

    private static SplitPredicate.Verdict judge(RowExpression conjunct, Domain known)
    {
        return predicate(conjunct).judge(column -> column.equals(A) ? Optional.of(known) : Optional.empty());
    }
}
