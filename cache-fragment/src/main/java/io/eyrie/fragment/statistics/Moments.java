package io.eyrie.fragment.statistics;

import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.type.DateTimeEncoding;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;

import java.util.List;
import java.util.Optional;

import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.NOT_EQUAL;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.TimestampWithTimeZoneType.TIMESTAMP_WITH_TIME_ZONE;

/**
 * Comparisons of timestamps with moments, such as {@code time > now() - INTERVAL '3' DAY}: {@code now()} has a zone, so that the engine casts the column, and its
 * translator into domains knows no casts.
 */
final class Moments
{
    private static final List<OperatorType> COMPARISONS = List.of(EQUAL, NOT_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN,
            GREATER_THAN_OR_EQUAL);

    private Moments()
    {}

    /**
     * What is true of the same rows without a cast; the conjunct itself where there is no such thing. With legacy timestamps a timestamp is a moment, the cast only
     * adds the session's zone, and moments are compared without their zones. Without, it is a local time, which daylight saving makes mean two moments.
     */
    @SuppressWarnings("deprecation") // of the engine, which has no other word for it
    static RowExpression withoutZones(RowExpression conjunct, StandardFunctionResolution functions, ConnectorSession session)
    {
        if (!session.getSqlFunctionProperties().isLegacyTimestamp() || !(conjunct instanceof CallExpression call)) {
            return conjunct;
        }
        List<RowExpression> arguments = call.getArguments().stream().flatMap(argument -> withoutZone(argument, functions).stream()).toList();
        if (arguments.size() != call.getArguments().size()) {
            return conjunct;
        }
        FunctionHandle handle = call.getFunctionHandle();
        if (functions.isBetweenFunction(handle)) {
            return new CallExpression(call.getDisplayName(), functions.betweenFunction(TIMESTAMP, TIMESTAMP, TIMESTAMP), BOOLEAN, arguments);
        }
        return COMPARISONS.stream()
                .filter(comparison -> handle.equals(functions.comparisonFunction(comparison, TIMESTAMP_WITH_TIME_ZONE, TIMESTAMP_WITH_TIME_ZONE)))
                .findFirst()
                .<RowExpression>map(comparison -> new CallExpression(
                        comparison.name(), functions.comparisonFunction(comparison, TIMESTAMP, TIMESTAMP), BOOLEAN, arguments))
                .orElse(conjunct);
    }

    private static Optional<RowExpression> withoutZone(RowExpression argument, StandardFunctionResolution functions)
    {
        if (!argument.getType().equals(TIMESTAMP_WITH_TIME_ZONE)) {
            return Optional.empty();
        }
        if (argument instanceof ConstantExpression constant && constant.getValue() instanceof Long moment) {
            return Optional.of(new ConstantExpression(DateTimeEncoding.unpackMillisUtc(moment), TIMESTAMP));
        }
        if (argument instanceof CallExpression call && functions.isCastFunction(call.getFunctionHandle())) {
            return Optional.of(call.getArguments().get(0)).filter(cast -> cast.getType().equals(TIMESTAMP));
        }
        return Optional.empty();
    }
}
