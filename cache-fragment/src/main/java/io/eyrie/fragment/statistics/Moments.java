// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.type.DateTimeEncoding;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.ExpressionOptimizer;
import com.facebook.presto.spi.relation.ExpressionOptimizerProvider;
import com.facebook.presto.spi.relation.RowExpression;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.NOT_EQUAL;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.TimestampWithTimeZoneType.TIMESTAMP_WITH_TIME_ZONE;
import static java.util.Objects.requireNonNull;

/**
 * Rewrites comparisons of timestamps and dates with moments, such as {@code time > now() - INTERVAL '3' DAY}. Because {@code now()} has a zone, the
 * engine casts the column, and its domain translator does not handle casts.
 */
final class Moments
{
    private static final List<OperatorType> COMPARISONS = List.of(EQUAL, NOT_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN,
            GREATER_THAN_OR_EQUAL);

    private final StandardFunctionResolution functions;
    private final ExpressionOptimizer evaluator;
    private final ConnectorSession session;

    /** Rewrites the predicates of one session. */
    Moments(StandardFunctionResolution functions, ExpressionOptimizerProvider evaluators, ConnectorSession session)
    {
        this.functions = requireNonNull(functions, "functions is null");
        this.evaluator = evaluators.getExpressionOptimizer(session);
        this.session = requireNonNull(session, "session is null");
    }

    /** Returns an expression without a cast that is true for the same rows; the conjunct itself if there is none. */
    RowExpression withoutCasts(RowExpression conjunct)
    {
        if (!(conjunct instanceof CallExpression call) || call.getArguments().isEmpty()) {
            return conjunct;
        }
        return withoutZones(call).or(() -> ofDays(call)).orElse(conjunct);
    }

    /*
     * With legacy timestamps, a timestamp is a moment: the cast only adds the session's zone, and the comparison of moments ignores zones. Without
     * them it is a local time, which can mean two moments because of daylight saving.
     */
    @SuppressWarnings("deprecation") // the engine has no other accessor
    private Optional<RowExpression> withoutZones(CallExpression call)
    {
        if (!session.getSqlFunctionProperties().isLegacyTimestamp()) {
            return Optional.empty();
        }
        List<RowExpression> arguments = call.getArguments().stream().flatMap(argument -> withoutZone(argument).stream()).toList();
        if (arguments.size() != call.getArguments().size()) {
            return Optional.empty();
        }
        return functions.isBetweenFunction(call.getFunctionHandle())
                ? Optional.of(between(TIMESTAMP, arguments))
                : comparison(call.getFunctionHandle(), TIMESTAMP_WITH_TIME_ZONE).map(comparison -> compare(comparison, TIMESTAMP, arguments));
    }

    private Optional<RowExpression> withoutZone(RowExpression argument)
    {
        if (!argument.getType().equals(TIMESTAMP_WITH_TIME_ZONE)) {
            return Optional.empty();
        }
        return argument instanceof ConstantExpression constant && constant.getValue() instanceof Long
                ? Optional.of(new ConstantExpression(millis(constant), TIMESTAMP))
                : uncast(argument).filter(cast -> cast.getType().equals(TIMESTAMP));
    }

    /* A date is cast to the beginning of its day in some zone, so the engine itself computes the beginnings of the days around a moment. */
    private Optional<RowExpression> ofDays(CallExpression call)
    {
        List<RowExpression> arguments = call.getArguments();
        if (!isMoment(arguments.get(0))) {
            return Optional.empty();
        }
        if (functions.isBetweenFunction(call.getFunctionHandle())) {
            return dateOf(arguments.get(0)).flatMap(date -> range(date, arguments.get(0), arguments.get(1), arguments.get(2)));
        }
        Optional<OperatorType> comparison = comparison(call.getFunctionHandle(), arguments.get(0).getType());
        if (comparison.isEmpty()) {
            return Optional.empty();
        }
        return dateOf(arguments.get(0))
                .flatMap(date -> compareDays(comparison.get(), date, arguments.get(0), arguments.get(1)))
                .or(() -> dateOf(arguments.get(1)).flatMap(date -> compareDays(
                        OperatorType.flip(comparison.get()), date, arguments.get(1), arguments.get(0))));
    }

    private Optional<RowExpression> compareDays(OperatorType comparison, RowExpression date, RowExpression cast, RowExpression moment)
    {
        return switch (comparison) {
            case GREATER_THAN -> firstDay(cast, moment, true).map(day -> compare(GREATER_THAN_OR_EQUAL, DATE, List.of(date, day(day))));
            case GREATER_THAN_OR_EQUAL -> firstDay(cast, moment, false).map(day -> compare(GREATER_THAN_OR_EQUAL, DATE, List.of(date, day(day))));
            case LESS_THAN -> firstDay(cast, moment, false).map(day -> compare(LESS_THAN, DATE, List.of(date, day(day))));
            case LESS_THAN_OR_EQUAL -> firstDay(cast, moment, true).map(day -> compare(LESS_THAN, DATE, List.of(date, day(day))));
            case EQUAL -> range(date, cast, moment, moment);
            default -> Optional.empty();
        };
    }

    private Optional<RowExpression> range(RowExpression date, RowExpression cast, RowExpression least, RowExpression most)
    {
        return firstDay(cast, least, false)
                .flatMap(from -> firstDay(cast, most, true).map(to -> between(DATE, List.of(date, day(from), day(to - 1)))));
    }

    /* Returns the first day that begins at or after a moment ("after": only after it). No zone is a whole day off, so it tries the days nearby in order. */
    private Optional<Long> firstDay(RowExpression cast, RowExpression moment, boolean after)
    {
        if (!(moment instanceof ConstantExpression constant) || !(constant.getValue() instanceof Long)) {
            return Optional.empty();
        }
        long wanted = millis(constant) + (after ? 1 : 0);
        long day = Math.floorDiv(millis(constant), TimeUnit.DAYS.toMillis(1));
        List<Long> days = LongStream.rangeClosed(day - 2, day + 2).boxed().toList();
        List<Long> begins = days.stream().flatMap(each -> begin((CallExpression) cast, each).stream()).toList();
        return begins.size() == days.size() && begins.equals(begins.stream().sorted().toList())
                ? days.stream().filter(each -> begins.get(days.indexOf(each)) >= wanted).findFirst()
                : Optional.empty();
    }

    private Optional<Long> begin(CallExpression cast, long day)
    {
        RowExpression evaluated = evaluator.optimize(
                new CallExpression(cast.getDisplayName(), cast.getFunctionHandle(), cast.getType(), List.of(day(day))),
                ExpressionOptimizer.Level.OPTIMIZED,
                session);
        return evaluated instanceof ConstantExpression constant && constant.getValue() instanceof Long
                ? Optional.of(millis(constant))
                : Optional.empty();
    }

    private Optional<RowExpression> dateOf(RowExpression argument)
    {
        return isMoment(argument) ? uncast(argument).filter(cast -> cast.getType().equals(DATE)) : Optional.empty();
    }

    private static boolean isMoment(RowExpression argument)
    {
        return argument.getType().equals(TIMESTAMP) || argument.getType().equals(TIMESTAMP_WITH_TIME_ZONE);
    }

    private Optional<RowExpression> uncast(RowExpression argument)
    {
        return argument instanceof CallExpression call && functions.isCastFunction(call.getFunctionHandle())
                ? Optional.of(call.getArguments().get(0))
                : Optional.empty();
    }

    private Optional<OperatorType> comparison(FunctionHandle handle, Type type)
    {
        return COMPARISONS.stream().filter(comparison -> handle.equals(functions.comparisonFunction(comparison, type, type))).findFirst();
    }

    private RowExpression compare(OperatorType comparison, Type type, List<RowExpression> arguments)
    {
        return new CallExpression(comparison.name(), functions.comparisonFunction(comparison, type, type), BOOLEAN, arguments);
    }

    private RowExpression between(Type type, List<RowExpression> arguments)
    {
        return new CallExpression(OperatorType.BETWEEN.name(), functions.betweenFunction(type, type, type), BOOLEAN, arguments);
    }

    private static ConstantExpression day(long day)
    {
        return new ConstantExpression(day, DATE);
    }

    private static long millis(ConstantExpression moment)
    {
        long value = (long) requireNonNull(moment.getValue(), "value is null");
        return moment.getType().equals(TIMESTAMP_WITH_TIME_ZONE) ? DateTimeEncoding.unpackMillisUtc(value) : value;
    }
}
