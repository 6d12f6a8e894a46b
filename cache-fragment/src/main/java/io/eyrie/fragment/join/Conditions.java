// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression.Form;
import com.facebook.presto.spi.relation.VariableReferenceExpression;

import java.util.EnumSet;
import java.util.Set;

import static com.facebook.presto.common.function.OperatorType.BETWEEN;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.NOT_EQUAL;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.IntegerType.INTEGER;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static java.util.Objects.requireNonNull;

/** Recognizes conditions by their operators. Thread-safe. */
public final class Conditions
{
    private static final Set<OperatorType> RANGES = EnumSet.of(BETWEEN, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL);
    private static final Set<OperatorType> COMPARISONS = EnumSet.of(
            EQUAL, NOT_EQUAL, BETWEEN, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL);
    private static final Set<Form> LOGIC = EnumSet.of(Form.AND, Form.OR, Form.IN, Form.IS_NULL);
    // many tables store a day as a whole number or as text
    private static final Set<Type> TIMES = Set.of(DATE, TIMESTAMP, BIGINT, INTEGER);

    private final FunctionMetadataManager functions;
    private final StandardFunctionResolution standard;

    public Conditions(FunctionMetadataManager functions, StandardFunctionResolution standard)
    {
        this.functions = requireNonNull(functions, "functions is null");
        this.standard = requireNonNull(standard, "standard is null");
    }

    /** Whether equal values of a type are always the same value, and it may be the type of days. */
    boolean isIdentified(Type type)
    {
        return TIMES.contains(type) || type instanceof VarcharType;
    }

    /** Whether an expression is a range of one variable with constants, which may be a window of days. */
    public boolean isWindow(RowExpression expression)
    {
        return expression instanceof CallExpression call
                && isOperator(call, RANGES)
                && call.getArguments().stream().allMatch(argument -> isIdentified(argument.getType())
                        && (argument instanceof VariableReferenceExpression || argument instanceof ConstantExpression))
                && call.getArguments().stream().filter(VariableReferenceExpression.class::isInstance).count() == 1;
    }

    /** Whether an expression has a value for any values of its variables. False if this is not certain. */
    boolean cannotFail(RowExpression expression)
    {
        return expression instanceof VariableReferenceExpression
                || expression instanceof ConstantExpression
                || (isComparison(expression) && expression.getChildren().stream().allMatch(this::cannotFail));
    }

    /* Some comparisons of arrays, maps and rows fail if they contain NULL. */
    private boolean isComparison(RowExpression expression)
    {
        if (!expression.getChildren().stream().allMatch(child -> child.getType().getTypeParameters().isEmpty())) {
            return false;
        }
        return expression instanceof CallExpression call
                ? isOperator(call, COMPARISONS) || standard.isNotFunction(call.getFunctionHandle()) || standard.isLikeFunction(call
                        .getFunctionHandle())
                : expression instanceof SpecialFormExpression form && LOGIC.contains(form.getForm());
    }

    private boolean isOperator(CallExpression call, Set<OperatorType> operators)
    {
        return functions.getFunctionMetadata(call.getFunctionHandle()).getOperatorType().filter(operators::contains).isPresent();
    }
}
